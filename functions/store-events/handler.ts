/**
 * The worker that processes the platform's webhooks of all stores. It runs every minute; this file lists its kinds of
 * work.
 */
import { readEnvironment } from '../../lib/config/environment.ts';
import { raiseAlarmsForOldDataRequests } from '../../lib/privacy/data-requests.ts';
import { handleComplianceRequests } from '../../lib/privacy/handle-compliance-requests.ts';
import { sweepErasures } from '../../lib/privacy/sweep-erasures.ts';
import { processInbox } from '../../lib/store-events/inbox/process-inbox.ts';
import { reconcileStore } from '../../lib/store-events/reconciliation/reconcile-store.ts';
import { composeStoreEvents } from '../compose/webhooks/compose-store-events.ts';
import { type CommonWork, runCommonWork } from '../compose/webhooks/run-common-work.ts';
import { runStoreWork, type StoreWorkKind } from '../compose/webhooks/run-store-work.ts';
import { withRequestContext } from '../compose/with-request-context.ts';

const deps = composeStoreEvents(readEnvironment());

/** The work for each queued store, in the order in which it runs. */
const STORE_WORK: readonly StoreWorkKind[] = [
  { name: 'answer compliance', run: (timeSlice) => handleComplianceRequests(deps, timeSlice) },
  { name: 'act on marks', run: (timeSlice) => processInbox(deps, timeSlice) },
  { name: 'nightly reconciliation', run: (timeSlice) => reconcileStore(deps, timeSlice) },
];

/** The work that concerns all stores together. */
const COMMON_WORK: readonly CommonWork[] = [
  { name: 'sweep erasures', run: (endAtMs) => sweepErasures(deps, endAtMs) },
  { name: 'ring for requests', run: () => raiseAlarmsForOldDataRequests(deps) },
];

export const handler = withRequestContext(deps, async (): Promise<void> => {
  await runCommonWork(deps, COMMON_WORK);
  await runStoreWork(deps, { kind: 'store-events' }, STORE_WORK);
});
