/** The operations behind the mutations that run our own documents, and what each is given in one request. */
import { chargeBillingCycle } from '../../lib/subscriptions/charge/charge-billing-cycle.ts';
import { type ChargeDeps, createChargeClaims } from '../../lib/subscriptions/charge/charge-claims.ts';
import { rescheduleBillingCycle } from '../../lib/subscriptions/cycles/reschedule-billing-cycle.ts';
import { skipBillingCycle } from '../../lib/subscriptions/cycles/skip-billing-cycle.ts';
import { changeDelivery } from '../../lib/subscriptions/delivery/change-delivery.ts';
import { applyDiscountCode } from '../../lib/subscriptions/details/apply-discount-code.ts';
import type { CodeTryDeps } from '../../lib/subscriptions/details/code-tries.ts';
import { createLimitedTries } from '../../lib/subscriptions/details/limited-tries.ts';
import { removeDiscount } from '../../lib/subscriptions/details/remove-discount.ts';
import { updateNote } from '../../lib/subscriptions/details/update-note.ts';
import { updatePaymentMethod } from '../../lib/subscriptions/details/update-payment-method.ts';
import { createUsedCodes, type UsedCodeDeps } from '../../lib/subscriptions/details/used-codes.ts';
import { changeInterval } from '../../lib/subscriptions/interval/change-interval.ts';
import {
  createUnfinishedIntervals,
  type IntervalDeps,
} from '../../lib/subscriptions/interval/unfinished-intervals.ts';
import { updateLines } from '../../lib/subscriptions/lines/update-lines.ts';
import type { AskPlatform, Operation, OperationRequest } from '../../lib/subscriptions/operation.ts';
import type { OperationOutcome } from '../../lib/subscriptions/operation-error.ts';
import { createTimedPauses, type PauseDeps } from '../../lib/subscriptions/pause/timed-pauses.ts';
import { activateContract } from '../../lib/subscriptions/status/activate-contract.ts';
import { cancelContract } from '../../lib/subscriptions/status/cancel-contract.ts';
import { pauseContract } from '../../lib/subscriptions/status/pause-contract.ts';
import { findAction } from '../../lib/timeline/actions.ts';
import type { BeginChange } from '../../lib/timeline/begin-change.ts';
import type { RunContext } from '../plan/run-context.ts';
import { authorOf } from '../run/change-author.ts';
import type { ServiceMutationName } from './object-fields.ts';

/** The dependencies of all operations together. */
type OwnDeps = PauseDeps & ChargeDeps & IntervalDeps & CodeTryDeps & UsedCodeDeps;

const operations: Readonly<Record<ServiceMutationName, Operation<OwnDeps>>> = {
  subscriptionBillingCycleCharge: chargeBillingCycle,
  subscriptionBillingCycleReschedule: rescheduleBillingCycle,
  subscriptionBillingCycleSkip: skipBillingCycle,
  subscriptionContractDeliveryUpdate: changeDelivery,
  subscriptionContractDiscountCodeApply: applyDiscountCode,
  subscriptionContractDiscountRemove: removeDiscount,
  subscriptionContractActivate: activateContract,
  subscriptionContractCancel: cancelContract,
  subscriptionContractLinesUpdate: updateLines,
  subscriptionContractIntervalUpdate: changeInterval,
  subscriptionContractNoteUpdate: updateNote,
  subscriptionContractPause: pauseContract,
  subscriptionContractPaymentMethodUpdate: updatePaymentMethod,
};

/** Performs the operation of that name. Errors as its Operation has them. */
export function performOperation(
  context: RunContext,
  name: ServiceMutationName,
  request: OperationRequest,
): Promise<OperationOutcome> {
  return operations[name](operationDeps(context, name), request);
}

/** The dependencies of the operation of that name, in one request. */
function operationDeps(context: RunContext, name: ServiceMutationName): OwnDeps {
  const { now, wait, deadlineAtMs, store, table, identity } = context;
  const author = authorOf(context, now());
  return {
    ask: askOf(context, name),
    now,
    wait,
    deadlineAtMs,
    store,
    platformGidNamespace: identity.namespaces.platform,
    actingCustomerId: identity.actingCustomerId,
    actor: author.actor,
    get timedPauses() {
      return createTimedPauses({ table, now });
    },
    get chargeClaims() {
      return createChargeClaims({ table, now });
    },
    get unfinishedIntervals() {
      return createUnfinishedIntervals({ table, now });
    },
    get usedCodes() {
      return createUsedCodes({ table, shopId: store.shopId });
    },
    countTry: (ref, limit) => createLimitedTries({ table, now }).count(ref, limit, context.requestId),
    readEvents: context.timeline.readEvents,
    beginChange: counted(context, context.timeline.begin(author)),
  };
}

/** Notes in the request's log line what a customer has really changed. */
function counted({ identity, recordAction }: RunContext, begin: BeginChange): BeginChange {
  return async (intent) => {
    const open = await begin(intent);
    const action = findAction(intent.action)?.counter;
    if (action === undefined || identity.actingCustomerId === undefined) return open;
    return {
      ...open,
      done: (...changed) => {
        recordAction(action);
        return open.done(...changed);
      },
    };
  };
}

function askOf(context: RunContext, name: ServiceMutationName): AskPlatform {
  return ({ document, variables, mutates }) =>
    context.send({
      store: context.store,
      document,
      variables,
      mutates,
      caller: context.identity.namespaces,
      deadlineAtMs: context.deadlineAtMs,
      costKey: `${name} ${document}`,
    });
}
