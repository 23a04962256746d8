/**
 * The worker that bills stores: a run for each day of a store, retries, and final actions. It runs every minute; stores
 * that do not bill are not in its queue.
 */

import { runBilling } from '../../lib/billing/run/run-billing.ts';
import { readEnvironment } from '../../lib/config/environment.ts';
import { composeBilling } from '../compose/webhooks/compose-billing.ts';
import {
  BILLING_STORE_CONCURRENCY,
  runStoreWork,
  type StoreWorkKind,
} from '../compose/webhooks/run-store-work.ts';
import { withRequestContext } from '../compose/with-request-context.ts';

const deps = composeBilling(readEnvironment());

const STORE_WORK: readonly StoreWorkKind[] = [
  { name: 'bill', run: (timeSlice) => runBilling(deps, timeSlice) },
];

export const handler = withRequestContext(deps, () =>
  runStoreWork(deps, { kind: 'billing', storeConcurrency: BILLING_STORE_CONCURRENCY }, STORE_WORK),
);
