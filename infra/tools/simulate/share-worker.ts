/**
 * A minute of a worker over woken stores, as its loop shares it: stores have their turns one after another, so many at once
 * in an instance, whose processor they share. What is left waits for the next minute, behind the others.
 */
import { STORES_AT_ONCE, TURN_MS } from '../../../functions/compose/webhooks/run-store-work.ts';
import { readEnvironmentConfig } from '../../definition/config.ts';
import { functionDefinitions, type ScheduledFunctionName } from '../../definition/function-definitions.ts';
import { assumedOfRequests, measured } from '../costs/measured.ts';

export type Worker = {
  readonly instances: number;
  /** Processors that an instance has. */
  readonly speed: number;
  /** The stores that have work, the longest waiting first. */
  queue: number[];
  readonly isQueued: Uint8Array;
  /** Processor seconds that the first instance has spent in this minute on work of no one store. */
  spentSeconds: number;
};

/** What a store does in its time: processor seconds that it needs, and what is done of it with that part of them. */
export type Turn = { readonly cpuSeconds: number; readonly work: (part: number) => void };

const TURN_SECONDS = TURN_MS / 1000;
const SECONDS = 60;
/** A store is looked at again a minute after nothing was left. */
const LOOKS = 2;
const VISIT_SECONDS = measured.wokenStore.cpuMs / 1000;
const LEAST = 1e-9;

export function createWorker(name: ScheduledFunctionName, stores: number): Worker {
  const { reservedConcurrency, accountConcurrency } = readEnvironmentConfig('prod').config;
  return {
    instances: reservedConcurrency[name] ?? accountConcurrency,
    speed: Math.min(1, functionDefinitions[name].memoryMb / assumedOfRequests.mbOfProcessor),
    queue: [],
    isQueued: new Uint8Array(stores),
    spentSeconds: 0,
  };
}

/** The store has work. */
export function wake(worker: Worker, store: number): void {
  if (worker.isQueued[store] === 1) return;
  worker.isQueued[store] = 1;
  worker.queue.push(store);
}

/**
 * Plays a minute; returns the instances at work, and visits: a store that has no more is looked at again. `turnOf` tells what a store does in so many seconds, `hasMore` whether it
 * stays in the queue.
 */
export function shareMinute(
  worker: Worker,
  turnOf: (store: number, seconds: number) => Turn,
  hasMore: (store: number) => boolean,
): { instances: number; visits: number } {
  const waiting = worker.queue.length;
  if (waiting === 0) return { instances: 0, visits: 0 };
  const instances = Math.min(worker.instances, Math.ceil(waiting / STORES_AT_ONCE));
  const places = instances * STORES_AT_ONCE;
  const served = worker.queue.splice(0, waiting <= places ? places : (places * SECONDS) / TURN_SECONDS);
  const seconds = TURN_SECONDS;
  for (let instance = 0; instance < instances; instance++) {
    const turns = served
      .filter((_, at) => at % instances === instance)
      .map((store) => turnOf(store, seconds));
    const wanted = turns.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
    const spent = turns.length * LOOKS * VISIT_SECONDS + (instance === 0 ? worker.spentSeconds : 0);
    const left = worker.speed * SECONDS - spent;
    const part = Math.min(1, Math.max(LEAST, left) / Math.max(wanted, LEAST));
    for (const turn of turns) turn.work(part);
  }
  const again = served.filter(hasMore);
  for (const store of served) worker.isQueued[store] = 0;
  for (const store of again) wake(worker, store);
  return { instances, visits: LOOKS * served.length - again.length };
}
