/** The functions of the service over one table and one store: a process may crash before or after each write and request. */
import {
  BILLING_STORE_CONCURRENCY,
  runStoreWork,
} from '../../../functions/compose/webhooks/run-store-work.ts';
import { requestPaymentRetry } from '../../../lib/billing/payment/request-payment-retry.ts';
import { createBillingPreviews } from '../../../lib/billing/preview/previews.ts';
import { createBillingCharges } from '../../../lib/billing/records/charges.ts';
import { createBillingReminders } from '../../../lib/billing/records/reminders.ts';
import { createBillingRuns } from '../../../lib/billing/records/runs.ts';
import { createBillingSettings } from '../../../lib/billing/records/settings.ts';
import { runBilling } from '../../../lib/billing/run/run-billing.ts';
import { createBatchLimits } from '../../../lib/billing/run/send-attempts.ts';
import { runBillingOperation } from '../../../lib/billing/settle/billing-operation.ts';
import { createApplyOutcomeToCharge } from '../../../lib/billing/settle/create-apply-outcome-to-charge.ts';
import { retryAfterCustomerChange } from '../../../lib/billing/settle/retry-charge.ts';
import type { ShopId } from '../../../lib/domain/shop-id.ts';
import type { TimeZone } from '../../../lib/domain/time-zone.ts';
import { ServiceError } from '../../../lib/errors/service-error.ts';
import { createAdminClient } from '../../../lib/platform/admin-api/admin-client.ts';
import type { AdminPost } from '../../../lib/platform/admin-api/admin-request.ts';
import { createStoreBudget } from '../../../lib/platform/admin-api/send-within-budget.ts';
import { createThrottleBuckets } from '../../../lib/platform/admin-api/throttle-buckets.ts';
import { TransportError } from '../../../lib/platform/send-request.ts';
import { createInbox } from '../../../lib/storage/inbox/inbox.ts';
import { createScheduledTaskRepository } from '../../../lib/storage/scheduled-tasks.ts';
import {
  createStoreRepository,
  type StoreRecord,
  shopDomainItemKey,
  toStoreItems,
} from '../../../lib/storage/stores.ts';
import { createAppendToStream } from '../../../lib/storage/stream/append-to-stream.ts';
import type { Table } from '../../../lib/storage/table.ts';
import type { StoreTimeSlice } from '../../../lib/storage/work-queue/process-work-queue.ts';
import { acquireAppendLease } from '../../../lib/storage/work-queue/shard-lease.ts';
import { createWorkQueue } from '../../../lib/storage/work-queue/work-queue.ts';
import { createTopicGroupProcessors, processInbox } from '../../../lib/store-events/inbox/process-inbox.ts';
import { reconcileStore } from '../../../lib/store-events/reconciliation/reconcile-store.ts';
import { refreshTimeZone } from '../../../lib/stores/lifecycle/refresh-time-zones.ts';
import { createChargeClaimRepository } from '../../../lib/subscriptions/charge/charge-claims.ts';
import { createUnfinishedIntervalChangeRepository } from '../../../lib/subscriptions/interval/unfinished-intervals.ts';
import type { Operation, OperationDeps } from '../../../lib/subscriptions/operation.ts';
import { createPostponementRepository } from '../../../lib/subscriptions/order-dates/postponements.ts';
import { readPauseEnd } from '../../../lib/subscriptions/pause/read-pause-end.ts';
import { createTimedPauseRepository } from '../../../lib/subscriptions/pause/timed-pauses.ts';
import { appendQueuedItems } from '../../../lib/timeline/append/append-queued-items.ts';
import type { RetryTrigger } from '../../../lib/timeline/append/find-retry-trigger.ts';
import { type ContractNumber, contractGid } from '../../../lib/timeline/event-record.ts';
import { settleOpenCharges } from '../../../lib/timeline/settle/settle-open-charges.ts';
import { settleOpenIntents } from '../../../lib/timeline/settle/settle-open-intents.ts';
import { createTimeline } from '../../../lib/timeline/timeline.ts';
import { store as aStore } from '../../graphql/world/harness.ts';
import { Crash, createFaults, faulty } from '../../lib/stores/world/faults.ts';
import type { Platform } from '../../sandbox/platform/admin/harness.ts';
import { type FaultKind, nameRequest, nameWrite } from './crash-points.ts';
import type { EmulatedStore } from './emulated-store.ts';
import { skipReconciliation } from './skip-reconciliation.ts';

const RUN_MS = 600_000;
const WRITES: ReadonlySet<string> = new Set(['put', 'update', 'delete']);

/** Decides at each write and request of a process whether something goes wrong there. */
export type ProcessFault = (step: string) => FaultKind | undefined;
export type LogLine = { readonly message: string; readonly fields: Readonly<Record<string, unknown>> };

export type Service = {
  readonly emulated: Pick<EmulatedStore, 'send'> & { readonly platform: Pick<Platform, 'holder'> };
  readonly base: Table;
  readonly store: () => StoreRecord;
  /** The parts of a store's item that the function reads. */
  readonly storeParts?: readonly 'grant'[];
  readonly newId: () => string;
  readonly log: (line: LogLine) => void;
  /** Lets so many milliseconds pass, with what happens in them. */
  readonly passTime: (ms: number) => Promise<void>;
  /** How long a request to the platform takes. */
  readonly requestMs: () => number;
  /** Lets time pass until the signal is aborted. Real time by default: a process that is alone keeps its leases. */
  readonly waitOrStop?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** How long a call of the table takes; undefined: no time. */
  readonly tableMs?: (() => number) | undefined;
  /** Whether nights are left out whose preview earlier nights have made (`skipReconciliation`). */
  readonly skipsReconciliations?: boolean;
};

export type ServiceProcess = { hasCrashed: boolean };

export function startProcess(
  { emulated, base, store, storeParts = ['grant'], newId, log, passTime, requestMs, ...more }: Service,
  faultAt?: ProcessFault,
) {
  const { tableMs, waitOrStop, skipsReconciliations = false } = more;
  const { holder } = emulated.platform;
  const now = () => holder.nowMs;
  const process: ServiceProcess = { hasCrashed: false };
  const faults = createFaults();
  faults.plan = ({ operation, parameters: [target] }) => {
    if (process.hasCrashed) return 'before';
    if (faultAt === undefined || !WRITES.has(operation)) return undefined;
    const fault = faultAt(nameWrite(operation, target as Parameters<typeof nameWrite>[1]));
    if (fault === 'before' || fault === 'after') process.hasCrashed = true;
    return fault;
  };
  if (tableMs !== undefined) faults.pause = () => passTime(tableMs());
  const table = faulty(base, 'table', faults);
  const line =
    () =>
    (message: string, fields: Readonly<Record<string, unknown>> = {}): undefined =>
      void log({ message, fields });
  const logger = { debug() {}, info: line(), warn: line(), error: line() };

  async function send(post: AdminPost) {
    if (process.hasCrashed) throw new Crash();
    const durationMs = requestMs();
    await passTime(durationMs / 2);
    if (process.hasCrashed) throw new Crash();
    const fault = faultAt?.(nameRequest(post.body));
    if (fault === 'before') {
      process.hasCrashed = true;
      throw new Crash();
    }
    const { status, body } = await emulated.send(post.body);
    await passTime(durationMs / 2);
    if (fault === 'after') {
      process.hasCrashed = true;
      throw new Crash();
    }
    if (fault === 'lost') throw new TransportError('Admin API', 'cut', true);
    return { status, body, retryAfter: undefined };
  }

  const client = createAdminClient({
    send,
    grants: {
      read: async () => ({ accessToken: 'token', versionId: 'v1' }),
      renew: () => Promise.reject(new ServiceError('STORE_DISCONNECTED')),
    },
    buckets: createThrottleBuckets({ now }),
    platformOrigin: 'https://{shop}',
    platformApiVersion: '2026-07',
    logger,
    now,
    random: () => 0.5,
    wait: passTime,
  });
  const scheduledTasks = createScheduledTaskRepository({ table, now });
  const workQueue = createWorkQueue({ table, now, newId });
  const stores = createStoreRepository({ table, parts: storeParts });
  const timedPauses = createTimedPauseRepository({ table, now });
  const settings = createBillingSettings({ table, now });
  const enqueueBilling = (shopId: ShopId, atMs?: number) => workQueue.enqueue('billing', shopId, atMs);
  const charges = createBillingCharges({ table, now, enqueueStore: enqueueBilling });
  const applyOutcomeToCharge = createApplyOutcomeToCharge({ charges, settings, stores, logger, now });
  const deps = {
    reminders: createBillingReminders({ table }),
    previews: createBillingPreviews({ table }),
    chargeClaims: createChargeClaimRepository({ table, now }),
    reportRetryTrigger: (help: RetryTrigger) => retryAfterCustomerChange({ charges, now }, help),
    ...{
      table,
      now,
      newId,
      logger,
      wait: passTime,
      scheduledTasks,
      workQueue,
      stores,
      timedPauses,
      settings,
      charges,
    },
    ...{ applyOutcomeToCharge, platformGidNamespace: 'shopify', runs: createBillingRuns({ table, now }) },
    enqueueStore: enqueueBilling,
    inbox: createInbox({ table, now, newId }),
    timeline: createTimeline({ table, scheduledTasks, logger, now, newId }),
    postponements: createPostponementRepository({ table, now }),
    unfinishedIntervals: createUnfinishedIntervalChangeRepository({ table, now }),
    ...createStoreBudget({ send: client, now, wait: passTime }),
    batchLimits: createBatchLimits(now),
    // No customer of these stores is erased.
    tombstones: {
      hashOf: async (of: { readonly shopId: ShopId }) => ({ shopId: of.shopId, hash: 'none' as never }),
      find: async () => undefined,
    },
  };

  return {
    ...{ process, deps, store },
    async runBilling(): Promise<void> {
      const run = { kind: 'billing', storeConcurrency: BILLING_STORE_CONCURRENCY, waitOrStop } as const;
      await runStoreWork(deps, run, [
        { name: 'bill', run: (slice) => runBilling({ ...deps, reportHold: async () => undefined }, slice) },
      ]);
    },
    /** Reads the store's time zone anew, as each day. */
    async refreshTimeZone(): Promise<void> {
      const stored = await stores.find(store().shopId);
      if (stored !== undefined) await refreshTimeZone(deps, stored, now() + RUN_MS);
      await workQueue.enqueue('store-events', store().shopId);
      await enqueueBilling(store().shopId);
    },
    /** The customer asks for an open payment to be tried again. */
    async requestRetry(contractNumber: string): Promise<void> {
      const request: Operation<OperationDeps> = (operationDeps, operation) =>
        requestPaymentRetry({ ...operationDeps, billingCharges: charges }, operation);
      await runBillingOperation(deps, request, {
        turn: { store: store(), endAtMs: now() + RUN_MS },
        ...{ requestId: newId(), reason: 'The customer asks for another try.' },
        args: { contractId: contractGid(contractNumber as ContractNumber, deps.platformGidNamespace) },
      });
    },
    async runStoreEvents({ withReconciliation = true } = {}): Promise<void> {
      const processorByTopicGroup = createTopicGroupProcessors({
        ...deps,
        scan: undefined as never,
      } as never);
      const reconciliation = {
        name: 'nightly reconciliation',
        async run(turn: StoreTimeSlice) {
          if (skipsReconciliations) await skipReconciliation({ table: base, now }, store());
          return reconcileStore(deps, turn);
        },
      };
      await runStoreWork(deps, { kind: 'store-events', waitOrStop }, [
        { name: 'act on marks', run: (turn) => processInbox({ ...deps, processorByTopicGroup }, turn) },
        ...(withReconciliation ? [reconciliation] : []),
      ]);
    },
    async runScheduledWork(): Promise<void> {
      const readEnd = (contract: Parameters<typeof readPauseEnd>[1]) => readPauseEnd(timedPauses, contract);
      await settleOpenIntents({ ...deps, finishers: {}, readPauseEnd: readEnd }, now() + RUN_MS);
      await settleOpenCharges(deps, now() + RUN_MS);
    },
    async appendEvents(): Promise<void> {
      await appendQueuedItems(
        {
          ...deps,
          enqueueDelivery: async () => undefined,
          startAppending: () => createAppendToStream({ table, now }),
          async observeAgain(shopId, contract) {
            await deps.inbox.put(shopId, { topicGroup: 'contracts', object: contract });
            await workQueue.enqueue('store-events', shopId);
          },
          acquireLease: (shard) => acquireAppendLease({ table, now, shard, newId }),
          random: () => 0.5,
        },
        now() + RUN_MS,
      );
    },
  };
}

/** Writes the store's items, as an installation does. */
export async function installStore(base: Table, timeZone: string, nowMs: number): Promise<StoreRecord> {
  const versions = { platformVersionId: 'v1', webhooksVersionId: 'v1' };
  const webhookWay = { by: 'toml', uri: 'https://service.example/platform/webhooks' };
  const record = {
    ...{ ...aStore, ...versions, webhookWay, keyClaims: {} },
    ...{ timeZone: timeZone as TimeZone, installedAtMs: nowMs },
  } as unknown as StoreRecord;
  for (const item of toStoreItems(record)) await base.put(item);
  await base.put({ ...shopDomainItemKey(record.domain), shopId: record.shopId });
  return record;
}
