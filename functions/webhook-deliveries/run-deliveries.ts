/**
 * Runs the delivery worker: appends queued events to the stores' streams, then delivers to endpoints. The schedule
 * starts a run each minute. The table's stream (DynamoDB Streams) also starts a short run when entries were written;
 * without it, deliveries are only later.
 */
import { toFailureCause } from '../../lib/errors/to-failure-cause.ts';
import { appendQueuedItems } from '../../lib/timeline/append/append-queued-items.ts';
import { createWebhookDeliveryWork } from '../../lib/webhooks/deliver/create-webhook-delivery-work.ts';
import type { DeliveryDeps } from '../compose/webhooks/compose-webhook-deliveries.ts';
import { type CommonWork, runCommonWork } from '../compose/webhooks/run-common-work.ts';
import { runStoreWork, type StoreWorkKind } from '../compose/webhooks/run-store-work.ts';

/**
 * The time limit of a run that the table's stream starts. It is short, because the next batch of the stream waits for
 * it.
 */
const STREAM_TRIGGERED_RUN_MS = 10_000;

/** Runs the worker. The time limit depends on the event: short for the table's stream, else that of the schedule. */
export function runDeliveries(deps: DeliveryDeps, event: unknown): Promise<void> {
  return isStreamEvent(event) ? handleStreamEvent(deps) : runAllDeliveries(deps);
}

/**
 * Whether the event comes from the table's stream. Its records are not read, because the work queue contains the work.
 */
function isStreamEvent(event: unknown): boolean {
  return typeof event === 'object' && event !== null && 'Records' in event;
}

/**
 * Runs the worker for the table's stream. Never throws: Lambda would repeat the batch and block the shard. The schedule
 * does the work at most a minute later.
 */
async function handleStreamEvent(deps: DeliveryDeps): Promise<void> {
  try {
    await runAllDeliveries(deps, STREAM_TRIGGERED_RUN_MS);
  } catch (error) {
    deps.logger.error('stream_run.failed', { cause: toFailureCause(error) });
  }
}

/** Runs the work that concerns all stores together, then the work of queued stores, in order. */
async function runAllDeliveries(deps: DeliveryDeps, maxRunMs?: number): Promise<void> {
  const commonWork: readonly CommonWork[] = [
    { name: 'append events', run: (endAtMs) => appendQueuedItems(deps, endAtMs) },
  ];
  const storeWork: readonly StoreWorkKind[] = [{ name: 'deliver', run: createWebhookDeliveryWork(deps) }];
  const startedAtMs = deps.now();
  await runCommonWork(deps, commonWork, maxRunMs);
  const remainingRunMs = maxRunMs && maxRunMs - (deps.now() - startedAtMs);
  await runStoreWork(deps, { kind: 'webhook-deliveries', maxRunMs: remainingRunMs }, storeWork);
}
