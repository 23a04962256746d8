/**
 * Creates the record of a mutation that runs one of the service's operations, and the dependencies that the operation gets in
 * each request.
 */
import { randomUUID } from 'node:crypto';
import type { PaymentRetryDeps } from '../../lib/billing/payment/request-payment-retry.ts';
import { createBillingCharges } from '../../lib/billing/records/charges.ts';
import type { StoreRecord } from '../../lib/storage/stores.ts';
import { createWorkQueue } from '../../lib/storage/work-queue/work-queue.ts';
import {
  type ChargeDeps,
  createChargeClaimRepository,
} from '../../lib/subscriptions/charge/charge-claims.ts';
import { parseContractRef } from '../../lib/subscriptions/contract-ref.ts';
import type { SendNowDeps } from '../../lib/subscriptions/cycles/order-to-send.ts';
import type { CodeTryDeps } from '../../lib/subscriptions/details/count-code-tries.ts';
import { countDryRun } from '../../lib/subscriptions/details/count-dry-run.ts';
import { createTryCounter } from '../../lib/subscriptions/details/limited-tries.ts';
import { createUsedCodeRepository, type UsedCodeDeps } from '../../lib/subscriptions/details/used-codes.ts';
import {
  createUnfinishedIntervalChangeRepository,
  type IntervalChangeDeps,
} from '../../lib/subscriptions/interval/unfinished-intervals.ts';
import type { Operation, SendToPlatform } from '../../lib/subscriptions/operation.ts';
import {
  createPostponementRepository,
  type PostponementDeps,
} from '../../lib/subscriptions/order-dates/postponements.ts';
import { createTimedPauseRepository, type PauseDeps } from '../../lib/subscriptions/pause/timed-pauses.ts';
import { runOperation } from '../../lib/subscriptions/run-operation.ts';
import { findActionDefinition } from '../../lib/timeline/actions.ts';
import type { BeginChange } from '../../lib/timeline/run-change.ts';
import type { ServiceMutationRecord } from '../plan/mutation-record.ts';
import type { RunContext } from '../plan/run-context.ts';
import { toChangeOrigin } from '../run/change-origin.ts';

/** The dependencies of all operations together. */
type AllOperationDeps = PauseDeps &
  ChargeDeps &
  IntervalChangeDeps &
  CodeTryDeps &
  UsedCodeDeps &
  PaymentRetryDeps &
  PostponementDeps &
  SendNowDeps;

type ServiceMutation = Pick<ServiceMutationRecord, 'name' | 'objectFields' | 'points' | 'recordsChanges'> & {
  /** Loads the operation when the mutation is run. */
  readonly operation: () => Promise<Operation<AllOperationDeps>>;
};

/** Creates the record of a mutation whose operation records its change in the timeline. */
export function createServiceMutation({
  operation,
  ...recordFields
}: ServiceMutation): ServiceMutationRecord {
  return {
    recordsChanges: true,
    ...recordFields,
    kind: 'service',
    idempotency: { storedFields: ['deliveryOptions', 'droppedEdits', 'skippedOrders', 'upcomingOrders'] },
    async perform(context, request) {
      const [performOperation, deps] = [await operation(), createOperationDeps(context, recordFields.name)];
      return runOperation(deps, () => performOperation(deps, request));
    },
  };
}

/**
 * Creates the dependencies with which a mutation's operation is run for one client request. `name`: the mutation's name,
 * for the log of its platform requests.
 */
function createOperationDeps(context: RunContext, name: string): AllOperationDeps {
  const { now, wait, deadlineAtMs, store, table, identity } = context;
  const changeOrigin = toChangeOrigin(context, now());
  const countTry: CodeTryDeps['countTry'] = (ref, limit) =>
    createTryCounter({ table, now }).count(ref, limit, context.requestId);
  return {
    sendToPlatform: createPlatformSend(context, name),
    now,
    wait,
    deadlineAtMs,
    store,
    platformGidNamespace: identity.namespaces.platform,
    actingCustomerId: identity.actingCustomerId,
    actor: changeOrigin.actor,
    get timedPauses() {
      return createTimedPauseRepository({ table, now });
    },
    get postponements() {
      return createPostponementRepository({ table, now });
    },
    get billingCharges() {
      const { enqueue } = createWorkQueue({ table, now, newId: randomUUID });
      const enqueueStore = (shopId: StoreRecord['shopId'], atMs: number) => enqueue('billing', shopId, atMs);
      return createBillingCharges({ table, now, enqueueStore });
    },
    get chargeClaims() {
      return createChargeClaimRepository({ table, now });
    },
    get unfinishedIntervals() {
      return createUnfinishedIntervalChangeRepository({ table, now });
    },
    get usedCodes() {
      return createUsedCodeRepository({ table, shopId: store.shopId });
    },
    countTry,
    async readBillingStartMs() {
      const { readBillingStartMs } = await import('../../lib/billing/settings/read-billing-status.ts');
      const { createBillingSettings } = await import('../../lib/billing/records/settings.ts');
      return readBillingStartMs({ settings: createBillingSettings({ table, now }), now }, store);
    },
    async selectOverdueOrders(contractId, orders) {
      const { selectOverdueOrders } = await import('../../lib/billing/payment/overdue-orders.ts');
      return selectOverdueOrders(context, contractId, orders);
    },
    dryRuns: {
      countDryRun: (contractId) => countDryRun({ store, now, countTry }, contractId),
      async readPauseEndMs(contractId) {
        const ref = parseContractRef(store.shopId, contractId);
        return ref && (await createTimedPauseRepository({ table, now }).read(ref))?.resumesAtMs;
      },
      async readOrderCounts(id, notBeforeMs) {
        const { readOrderCounts } = await import('../../lib/billing/preview/read-order-counts.ts');
        const deps = { table, now, store, sendToPlatform: createPlatformSend(context, name) };
        return (await readOrderCounts(deps, [{ id, notBeforeMs }])).get(id);
      },
    },
    readEvents: context.timeline.readEvents,
    beginChange: withActionCount(context, context.timeline.begin(changeOrigin)),
  };
}

/** Adds to the request's log line each action that has changed something for a customer. */
function withActionCount({ identity, recordAction }: RunContext, begin: BeginChange): BeginChange {
  return async (intent) => {
    const openChange = await begin(intent);
    const counterAction = findActionDefinition(intent.action)?.counter;
    if (counterAction === undefined || identity.actingCustomerId === undefined) return openChange;
    return {
      ...openChange,
      settleAsDone: (...changed) => {
        recordAction(counterAction);
        return openChange.settleAsDone(...changed);
      },
    };
  };
}

function createPlatformSend(context: RunContext, name: string): SendToPlatform {
  return ({ document, variables, mutates }) =>
    context.send({
      store: context.store,
      document,
      variables,
      mutates,
      callerNamespaces: context.identity.namespaces,
      deadlineAtMs: context.deadlineAtMs,
      costKey: `${name} ${document}`,
    });
}
