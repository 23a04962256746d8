/** Delivers to merchants' endpoints, every minute: what was entered is placed, then woken stores are served. */
import { readEnvironment } from '../../lib/config/environment.ts';
import { placeEntered } from '../../lib/timeline/settle/place-entered.ts';
import { serveStores } from '../../lib/webhooks/deliver/serve-stores.ts';
import { composeWebhookDeliveries } from '../compose/webhooks/compose-webhook-deliveries.ts';
import { type CommonWork, runCommonWork } from '../compose/webhooks/run-common-work.ts';
import { runStoreWork, type StoreWorkKind } from '../compose/webhooks/run-store-work.ts';

const deps = composeWebhookDeliveries(readEnvironment());

/** The work that is of no one store. */
const commonWork: readonly CommonWork[] = [
  { name: 'place entries', run: (endAtMs) => placeEntered(deps, endAtMs) },
];

/** The kinds of work of a woken store in the order in which they run. */
const storeWork: readonly StoreWorkKind[] = [{ name: 'deliver', run: serveStores(deps) }];

export const handler = async (): Promise<void> => {
  await runCommonWork(deps, commonWork);
  await runStoreWork(deps, 'webhook-deliveries', storeWork).finally(deps.closeConnections);
};
