/** Delivers to merchants' endpoints, every minute: queued events are appended, then stores with work are served. */
import { readEnvironment } from '../../lib/config/environment.ts';
import { appendQueued } from '../../lib/timeline/append/append-queued.ts';
import { serveStores } from '../../lib/webhooks/deliver/serve-stores.ts';
import { composeWebhookDeliveries } from '../compose/webhooks/compose-webhook-deliveries.ts';
import { type CommonWork, runCommonWork } from '../compose/webhooks/run-common-work.ts';
import { runStoreWork, type StoreWorkKind } from '../compose/webhooks/run-store-work.ts';

const deps = composeWebhookDeliveries(readEnvironment());

/** The work that is of no one store. */
const commonWork: readonly CommonWork[] = [
  { name: 'append events', run: (endAtMs) => appendQueued(deps, endAtMs) },
];

/** The kinds of work of a woken store in the order in which they run. */
const storeWork: readonly StoreWorkKind[] = [{ name: 'deliver', run: serveStores(deps) }];

export const handler = async (): Promise<void> => {
  await runCommonWork(deps, commonWork);
  await runStoreWork(deps, 'webhook-deliveries', storeWork).finally(deps.closeConnections);
};
