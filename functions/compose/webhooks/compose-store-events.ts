/** Composes the dependencies of the worker that processes the platform's webhooks of all stores. */
import { randomUUID } from 'node:crypto';
import type { Environment } from '../../../lib/config/environment.ts';
import { createSendWithinBudget } from '../../../lib/platform/admin-api/send-within-budget.ts';
import type { EraseCustomerDeps } from '../../../lib/privacy/erase-customer.ts';
import { createReportErasure } from '../../../lib/privacy/report-erasure.ts';
import type { SweepDeps } from '../../../lib/privacy/sweep-erasures.ts';
import { createInbox, type Inbox } from '../../../lib/storage/inbox/inbox.ts';
import { createComplianceRequestRepository } from '../../../lib/storage/privacy/compliance-requests.ts';
import { createReadTombstoneKey } from '../../../lib/storage/privacy/tombstone-key.ts';
import { createTombstoneRepository } from '../../../lib/storage/privacy/tombstones.ts';
import { createWorkQueue, type WorkQueue } from '../../../lib/storage/work-queue/work-queue.ts';
import {
  createTopicGroupProcessors,
  type ProcessInboxDeps,
} from '../../../lib/store-events/inbox/process-inbox.ts';
import type { ReconcileDeps } from '../../../lib/store-events/reconciliation/reconcile-store.ts';
import { createPostponementRepository } from '../../../lib/subscriptions/order-dates/postponements.ts';
import { createTimedPauseRepository } from '../../../lib/subscriptions/pause/timed-pauses.ts';
import { composeSdkStorage, composeTableScan } from '../compose-sdk-storage.ts';
import { composeStoreAccess, type StoreAccess } from '../compose-store-access.ts';

type StoreEventsDeps = StoreAccess &
  SweepDeps &
  EraseCustomerDeps &
  ReconcileDeps &
  ProcessInboxDeps & { readonly inbox: Inbox; readonly workQueue: WorkQueue };

/** Creates the dependencies of the worker that processes the platform's webhooks from the inbox, for one container. */
export function composeStoreEvents(environment: Environment): StoreEventsDeps {
  const storeAccess = composeStoreAccess({
    environment,
    functionName: 'store-events',
    storeParts: ['grant'],
    composeStorage: composeSdkStorage,
  });
  const { table, now, secrets, wait, sendAdminOperation: sendAdmin } = storeAccess;
  const readKey = createReadTombstoneKey({ secrets, secretsPrefix: environment.secretsPrefix });
  const tombstones = createTombstoneRepository({ table, readKey, now });
  const sharedDeps = {
    ...storeAccess,
    newId: randomUUID,
    workQueue: createWorkQueue({ ...storeAccess, newId: randomUUID }),
    scan: composeTableScan(environment),
    tombstones,
    complianceRequests: createComplianceRequestRepository({ table }),
    // The platform may no longer know a customer whom it asks to erase, so the contracts are not read there: the stored
    // snapshots and the sweep find them.
    contractsOf: async () => [],
    onErased: createReportErasure(storeAccess),
    sendWithinBudget: createSendWithinBudget({ send: sendAdmin, now, wait }),
    postponements: createPostponementRepository(storeAccess),
    timedPauses: createTimedPauseRepository(storeAccess),
    platformGidNamespace: environment.platformGidNamespace,
    inbox: createInbox({ ...storeAccess, newId: randomUUID }),
  };
  return { ...sharedDeps, processorByTopicGroup: createTopicGroupProcessors(sharedDeps) };
}
