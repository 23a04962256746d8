/** Composes the dependencies of the worker that bills stores. */
import { randomUUID } from 'node:crypto';
import { createBillingPreviews } from '../../../lib/billing/preview/previews.ts';
import { createBillingReminders } from '../../../lib/billing/records/reminders.ts';
import { createBillingRuns } from '../../../lib/billing/records/runs.ts';
import { createBillingSettings } from '../../../lib/billing/records/settings.ts';
import { createReportHold } from '../../../lib/billing/run/report-hold.ts';
import type { RunBillingDeps } from '../../../lib/billing/run/run-billing.ts';
import { createBatchLimits } from '../../../lib/billing/run/send-attempts.ts';
import type { Environment } from '../../../lib/config/environment.ts';
import { createStoreBudget } from '../../../lib/platform/admin-api/send-within-budget.ts';
import { createWorkQueue, type WorkQueue } from '../../../lib/storage/work-queue/work-queue.ts';
import { createChargeClaimRepository } from '../../../lib/subscriptions/charge/charge-claims.ts';
import { createUnfinishedIntervalChangeRepository } from '../../../lib/subscriptions/interval/unfinished-intervals.ts';
import { createPostponementRepository } from '../../../lib/subscriptions/order-dates/postponements.ts';
import { createTimedPauseRepository } from '../../../lib/subscriptions/pause/timed-pauses.ts';
import { composeBillingCharges } from '../compose-billing-charges.ts';
import { composeSdkStorage } from '../compose-sdk-storage.ts';
import { composeStoreAccess, type StoreAccess } from '../compose-store-access.ts';

type BillingDeps = StoreAccess & RunBillingDeps & { readonly workQueue: WorkQueue };

/** Creates the dependencies of the billing function, for one container. */
export function composeBilling(environment: Environment): BillingDeps {
  const storeAccess = composeStoreAccess({
    environment,
    functionName: 'billing',
    storeParts: ['grant'],
    composeStorage: composeSdkStorage,
  });
  const { now, wait, sendAdminOperation: sendAdmin } = storeAccess;
  const workQueue = createWorkQueue({ ...storeAccess, newId: randomUUID });
  return {
    ...storeAccess,
    newId: randomUUID,
    workQueue,
    charges: composeBillingCharges(storeAccess),
    runs: createBillingRuns(storeAccess),
    settings: createBillingSettings(storeAccess),
    reminders: createBillingReminders(storeAccess),
    previews: createBillingPreviews(storeAccess),
    chargeClaims: createChargeClaimRepository(storeAccess),
    timedPauses: createTimedPauseRepository(storeAccess),
    postponements: createPostponementRepository(storeAccess),
    unfinishedIntervals: createUnfinishedIntervalChangeRepository(storeAccess),
    ...createStoreBudget({ send: sendAdmin, now, wait }),
    batchLimits: createBatchLimits(now),
    platformGidNamespace: environment.platformGidNamespace,
    reportHold: createReportHold(storeAccess),
  };
}
