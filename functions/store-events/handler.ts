/** Acts on what happened at stores, every minute: the kinds of work of a store that was woken, in order. */
import { readEnvironment } from '../../lib/config/environment.ts';
import { composeStoreEvents } from '../compose/webhooks/compose-store-events.ts';
import { runStoreWork, type StoreWorkKind } from '../compose/webhooks/run-store-work.ts';

const deps = composeStoreEvents(readEnvironment());

/** The kinds of work of a woken store in the order in which they run. */
const storeWork: readonly StoreWorkKind[] = [];

export const handler = (): Promise<void> => runStoreWork(deps, 'store-events', storeWork);
