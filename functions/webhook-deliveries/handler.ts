/** Delivers to merchants' endpoints, every minute: the kinds of work of a store that was woken, in order. */
import { readEnvironment } from '../../lib/config/environment.ts';
import { serveStores } from '../../lib/webhooks/deliver/serve-stores.ts';
import { composeWebhookDeliveries } from '../compose/webhooks/compose-webhook-deliveries.ts';
import { runStoreWork, type StoreWorkKind } from '../compose/webhooks/run-store-work.ts';

const deps = composeWebhookDeliveries(readEnvironment());

/** The kinds of work of a woken store in the order in which they run. */
const storeWork: readonly StoreWorkKind[] = [{ name: 'deliver', run: serveStores(deps) }];

export const handler = (): Promise<void> =>
  runStoreWork(deps, 'webhook-deliveries', storeWork).finally(deps.closeConnections);
