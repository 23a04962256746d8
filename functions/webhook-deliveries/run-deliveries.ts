/**
 * Runs the delivery worker: appends queued events, then serves stores with work. The schedule starts a run each
 * minute; the table's stream starts a short one when entries were written. The schedule alone is sufficient.
 */
import { appendQueued } from '../../lib/timeline/append/append-queued.ts';
import { serveStores } from '../../lib/webhooks/deliver/serve-stores.ts';
import type { DeliveryDeps } from '../compose/webhooks/compose-webhook-deliveries.ts';
import { type CommonWork, runCommonWork } from '../compose/webhooks/run-common-work.ts';
import { runStoreWork, type StoreWorkKind } from '../compose/webhooks/run-store-work.ts';

/** Shared by appending and delivering, so that the stream's next batch need not wait. */
const BELL_MS = 10_000;

/** Runs for the time that the event allows: a short run for the table's stream, else the schedule's. */
export function runDeliveries(deps: DeliveryDeps, event: unknown): Promise<void> {
  return isBell(event) ? answerBell(deps) : deliver(deps);
}

/** The records' content is not read: the queue determines the work. */
function isBell(event: unknown): boolean {
  return typeof event === 'object' && event !== null && 'Records' in event;
}

/** Never throws: a failing batch would block its shard, and the schedule does the work at most a minute later. */
async function answerBell(deps: DeliveryDeps): Promise<void> {
  try {
    await deliver(deps, BELL_MS);
  } catch (error) {
    deps.logger.error('bell.failed', { cause: error instanceof Error ? error.message : 'unknown' });
  }
}

/** Runs the work that belongs to no single store, then the kinds of work of a queued store, in order. */
async function deliver(deps: DeliveryDeps, runMs?: number): Promise<void> {
  const commonWork: readonly CommonWork[] = [
    { name: 'append events', run: (endAtMs) => appendQueued(deps, endAtMs) },
  ];
  const storeWork: readonly StoreWorkKind[] = [{ name: 'deliver', run: serveStores(deps) }];
  const startedAtMs = deps.now();
  await runCommonWork(deps, commonWork, runMs);
  const leftMs = runMs && runMs - (deps.now() - startedAtMs);
  await runStoreWork(deps, { kind: 'webhook-deliveries', runMs: leftMs }, storeWork);
}
