/**
 * A run of the worker that delivers: queued events are appended, then stores with work are served. The schedule starts one
 * each minute; the table's stream starts a short one when entries were written. The schedule alone does all the work, too.
 */
import { appendQueued } from '../../lib/timeline/append/append-queued.ts';
import { serveStores } from '../../lib/webhooks/deliver/serve-stores.ts';
import type { DeliveryDeps } from '../compose/webhooks/compose-webhook-deliveries.ts';
import { type CommonWork, runCommonWork } from '../compose/webhooks/run-common-work.ts';
import { runStoreWork, type StoreWorkKind } from '../compose/webhooks/run-store-work.ts';

/** Appending and delivering share it, so that the stream's next batch need not wait. */
const BELL_MS = 10_000;

/** Runs for as long as the event asks for: an event of the table's stream, or else the schedule's. */
export function runDeliveries(deps: DeliveryDeps, event: unknown): Promise<void> {
  return isBell(event) ? answerBell(deps) : deliver(deps);
}

/** Nothing but their presence is read of the records: whatever they name, the queue says what is to be done. */
function isBell(event: unknown): boolean {
  return typeof event === 'object' && event !== null && 'Records' in event;
}

/** Never throws: a batch that fails would hold up its shard, and the schedule does the work a minute later at most. */
async function answerBell(deps: DeliveryDeps): Promise<void> {
  try {
    await deliver(deps, BELL_MS);
  } catch (error) {
    deps.logger.error('bell.failed', { cause: error instanceof Error ? error.message : 'unknown' });
  }
}

/** The work that is of no one store, then the kinds of work of a woken store, in the order in which they run. */
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
