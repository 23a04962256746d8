/**
 * Changes how often a contract is billed and delivered, and the selling plans of its lines. One intent covers two
 * steps: the draft is committed, then the skips and moves of upcoming orders are restored on the new cycles.
 */

import {
  floorToSecond,
  formatInstant,
  type Instant,
  nextWholeSecond,
  parseInstant,
} from '../../domain/instant.ts';
import { message } from '../../messages/message.ts';
import { timeZoneOf } from '../../storage/stores.ts';
import type { RecordFurtherFacts } from '../../timeline/run-change.ts';
import { parseContractRef } from '../contract-ref.ts';
import { countPaidOrders } from '../count-paid-orders.ts';
import {
  type BillingCycle,
  orderDueAtMs,
  orderErrorDetails,
  scheduleEditReason,
} from '../cycles/billing-cycle.ts';
import { moveOrder } from '../cycles/move-order.ts';
import { maxOrderDistanceMs } from '../cycles/plan-order-move.ts';
import type { DroppedEdit } from '../cycles/plan-restored-edits.ts';
import { resolveOrderInstant } from '../cycles/requested-order.ts';
import { findOrderTooClose, ORDER_TOO_CLOSE_HOURS, type UpcomingEdit } from '../cycles/upcoming-edits.ts';
import { decideDraft } from '../draft/decide-draft.ts';
import type { DraftDecision, DraftMutation, DraftOperationRefusal } from '../draft/draft-operation.ts';
import { isDryRun } from '../draft/preview-change.ts';
import type { AppliedOutcome, Operation, OperationDecision, OperationRequest } from '../operation.ts';
import { type ArgumentFault, createUserError, type OperationError } from '../operation-error.ts';
import { decideWithOrdersClaimed } from '../order-dates/claim-orders.ts';
import { isOnSameDay } from '../order-dates/order-dates.ts';
import { listCyclesWithoutOrder } from '../order-dates/postponed-orders.ts';
import { hasDatesToReassign, reassignOrderDates } from '../postpone/reassign-order-dates.ts';
import { parseRequestedDate } from '../requested-date.ts';
import { deliveriesPerPayment, isSameFrequency } from '../selling-plans/frequency.ts';
import { buildLineUpdates, haveNewPlans } from './build-line-updates.ts';
import {
  chooseIntervalTarget,
  findCycleToEndInPast,
  type IntervalTargetRequest,
  lastPaidEndMs,
  listUpcomingCycles,
} from './choose-interval-target.ts';
import type { ContractPolicies } from './contract-policies.ts';
import { createIntervalIntent } from './create-interval-intent.ts';
import { findIncreasedFreeGoodsError } from './find-increased-free-goods-error.ts';
import {
  arePoliciesInForce,
  buildIntervalReads,
  findNamedPlan,
  type IntervalContract,
  type IntervalInput,
  type IntervalState,
  type IntervalTarget,
  intervalArgumentName,
  isTargetInForce,
  parseIntervalInput,
  targetOrderDate,
} from './interval-state.ts';
import { planIntervalDeliveryPrice } from './plan-interval-delivery-price.ts';
import { omitSkipsOfChosenDates, readEventsSince } from './read-events-of-interval-change.ts';
import { findUnreachableChosenOrderError, readRequestedEdits } from './read-requested-edits.ts';
import { readAllUpcomingCycles } from './read-upcoming-cycles.ts';
import { type EditsToRestore, restoreEditsOnNewCycles } from './restore-edits-on-new-cycles.ts';
import { buildDiscountMutations, scaleDeliveryPrice } from './scale-discounts.ts';
import {
  type IntervalChangeDeps,
  toPastOrders,
  type UnfinishedIntervalChange,
} from './unfinished-intervals.ts';

/**
 * Returns the contract with `droppedEdits`, or userErrors: INTERVAL_NOT_OFFERED, ANCHORS_DO_NOT_FIT, CONTRACT_NOT_ACTIVE, ORDER_TOO_CLOSE,
 * INCOMPLETE_BILLING_ATTEMPTS, DISCOUNT_TIED_TO_INTERVAL, DATE_IN_PAST, DATE_TOO_FAR, CURRENCY_NOT_SUPPORTED, INVALID, and those of a draft. Sends
 * four platform requests, one more per six variants whose plans are read, two more if upcoming orders are skipped or moved,
 * two more if the new interval may end the current cycle in the past, and two or three more if the next order keeps its own date (docs/operations.md).
 */
export const changeInterval: Operation<IntervalChangeDeps> = (deps, request) =>
  decideWithOrdersClaimed(deps, { argument: 'contractId', args: request.args, kind: 'interval' }, () =>
    decideInterval(deps, request),
  );

function decideInterval(deps: IntervalChangeDeps, request: OperationRequest): Promise<OperationDecision> {
  const date = parseRequestedDate(request.args.nextBillingDate);
  const timeZone = timeZoneOf(deps.store);
  const beganAtMs = deps.now();
  const inputState: IntervalChangeCase['requested'] = { edits: undefined, nextBillingDateWhenRead: null };
  return decideDraft<IntervalState>(deps, request, {
    contractArgument: 'contractId',
    reads: buildIntervalReads(parseIntervalInput(request), {
      nowMs: beganAtMs,
      isCustomer: deps.actingCustomerId !== undefined,
    }),
    decide(state) {
      const parsedInput = parseIntervalInput(request);
      const nowMs = deps.now();
      const { billingPolicy } = state.contract;
      const frequency = {
        ...billingPolicy,
        ...findNamedPlan(state, parsedInput)?.billingPolicy,
        ...parsedInput.interval,
      };
      const lastMs = nowMs + maxOrderDistanceMs(frequency);
      const upcomingCycles = listUpcomingCycles(state);
      const isSameInterval = isSameFrequency(frequency, billingPolicy);
      const firstMs = isSameInterval ? 0 : nextWholeSecond(lastPaidEndMs(upcomingCycles, frequency));
      const orders = { upcomingCycles, timeZone, nowMs, firstMs, lastMs };
      const input = parseIntervalInput(request, date && resolveOrderInstant(date, orders));
      return decideIntervalDraft({
        deps,
        input,
        state,
        beganAtMs,
        requested: inputState,
        isDryRun: isDryRun(request),
      });
    },
  });
}

type IntervalChangeCase = IntervalTargetRequest & {
  readonly beganAtMs: number;
  readonly isDryRun: boolean;
  /**
   * The skips and moves that clients requested (`edits`), and the contract's `nextBillingDate` when they were read.
   * After a restart they are read again only if that date has changed: a concurrent interval change may have carried
   * them over to other cycles.
   */
  readonly requested: { edits: UpcomingEdit[] | undefined; nextBillingDateWhenRead: string | null };
};

async function decideIntervalDraft(change: IntervalChangeCase): Promise<DraftDecision<IntervalState>> {
  const chosenTarget = await chooseIntervalTarget(change);
  if (chosenTarget === 'in force') return { kind: 'unchanged', locals: { droppedEdits: [] } };
  return 'message' in chosenTarget
    ? toDraftOperationRefusal(chosenTarget)
    : planIntervalChange(change, chosenTarget);
}

async function planIntervalChange(
  change: IntervalChangeCase,
  target: IntervalTarget,
): Promise<DraftDecision<IntervalState>> {
  const { deps, state } = change;
  const { contract } = state;
  const freeGoodsError =
    deps.actingCustomerId === undefined
      ? undefined
      : findIncreasedFreeGoodsError(contract, target, intervalArgumentName(change.input));
  if (freeGoodsError !== undefined) return toDraftOperationRefusal(freeGoodsError);
  const changesPolicies = !arePoliciesInForce(contract, target);
  // The platform may count the cycles again whenever a billing policy is set. It then resets moved orders.
  const setsBillingPolicy = changesPolicies || !isMinimumUnchanged(contract, target);
  const nowMs = deps.now();
  const orderError =
    changesPolicies || isOtherPlan(contract, target) ? await findOrderError(change, nowMs) : undefined;
  if (orderError !== undefined) return toDraftOperationRefusal(orderError);
  const cycles = setsBillingPolicy ? await readAllUpcomingCycles(deps, contract.id, state) : [];
  const paymentChange = computePaymentChange(change, target);
  if ('code' in paymentChange) return toDraftOperationRefusal(paymentChange);
  const edits = setsBillingPolicy ? await readEditsToRestore(change, { cycles, target }) : [];
  const firstNewCycleIndex = setsBillingPolicy
    ? findCycleToEndInPast(listUpcomingCycles(state), target.billingPolicy, nowMs)
    : undefined;
  const pastOrders = toPastOrders(firstNewCycleIndex, change.beganAtMs);
  const reachContext = {
    cycles,
    frequency: target.billingPolicy,
    nowMs,
    field: intervalArgumentName(change.input),
  };
  const tooFarError = findUnreachableChosenOrderError(edits, reachContext);
  if (tooFarError !== undefined) return toDraftOperationRefusal(tooFarError);
  const { deliveryPrice, facts: lineFacts } = paymentChange;
  const delivery = planIntervalDeliveryPrice(deps, {
    contract,
    target,
    field: intervalArgumentName(change.input),
    ...paymentChange,
  });
  const intent = createIntervalIntent({
    ...{ contract, target, edits, firstNewCycleIndex, lineFacts },
    deliveryPrice: delivery === undefined ? deliveryPrice : undefined,
  });
  return {
    kind: 'change',
    intent,
    ...(delivery && { openingSelection: delivery.opening, followUp: delivery.followUp }),
    mutations: async (opened) => {
      await delivery?.readOptionsBefore(opened);
      if (setsBillingPolicy && !change.isDryRun)
        await storeUnfinishedInterval(change, { edits, pastOrders, interval: target.billingPolicy });
      return {
        kind: 'prepared',
        mutations: [...buildIntervalDraftUpdate(change, target, deliveryPrice), ...paymentChange.mutations],
      };
    },
    discounts: contract.discounts.nodes,
    showsChange: (now) => isTargetInForce(now, target),
    async afterCommit(committed, recordAlso) {
      const outcome = setsBillingPolicy
        ? await restoreEditsAfterCommit(change, committed, { edits, pastOrders, target })
        : committed;
      await moveNextOrderToDate(change, target, recordAlso);
      if (setsBillingPolicy) await assignPostponedOrderDates(deps, { contract, target, edits }, recordAlso);
      return outcome;
    },
    nextDate:
      targetOrderDate(contract, target) ??
      (changesPolicies ? chosenDate(edits, change, target) : undefined) ??
      (changesPolicies ? 'unknown' : 'kept'),
    locals: { droppedEdits: [] },
  };
}

/**
 * Returns the date of the order that a client chose or postponed, for a preview.
 * @returns undefined when that date may not hold after the change: its order was skipped since, a paid cycle may then contain
 * it, the skip of another order on that day may then apply to it, and during a pause no order comes
 */
function chosenDate(
  edits: readonly UpcomingEdit[],
  { deps, state }: IntervalChangeCase,
  { billingPolicy }: IntervalTarget,
): Instant | undefined {
  const chosenMs = parseInstant(edits.find(({ isChosen, skipped }) => isChosen && !skipped)?.date);
  if (chosenMs === undefined || state.contract.status !== 'ACTIVE') return undefined;
  const upcomingCycles = listUpcomingCycles(state);
  // With anchors, only the platform knows where a paid cycle ends.
  const mayBePaidFor =
    billingPolicy.anchors.length > 0
      ? upcomingCycles.some(({ status }) => status === 'BILLED')
      : lastPaidEndMs(upcomingCycles, billingPolicy) >= chosenMs;
  if (mayBePaidFor) return undefined;
  const timeZone = timeZoneOf(deps.store);
  const isOtherSkippedThatDay = edits.some(
    ({ isChosen, skipped, date }) =>
      !isChosen && skipped && isOnSameDay(timeZone, Date.parse(date), chosenMs),
  );
  return isOtherSkippedThatDay ? undefined : chosenMs;
}

type UpcomingCycles = { readonly cycles: readonly BillingCycle[]; readonly target: IntervalTarget };

async function readEditsToRestore(
  { deps, input: requestedInterval, state, requested: inputState }: IntervalChangeCase,
  { cycles, target }: UpcomingCycles,
): Promise<UpcomingEdit[]> {
  const { contract } = state;
  if (inputState.edits === undefined || inputState.nextBillingDateWhenRead !== contract.nextBillingDate) {
    const dateMs = targetOrderDate(contract, target);
    const paidUntilMs = requestedInterval.dateMs === undefined ? target.paidUntilMs : undefined;
    const { billingPolicy: frequency } = target;
    inputState.edits = await readRequestedEdits(deps, { contract, cycles, frequency, dateMs, paidUntilMs });
    inputState.nextBillingDateWhenRead = contract.nextBillingDate;
  }
  return inputState.edits;
}

/**
 * Returns what changes in each payment: the prices of lines, the discounts and the delivery price. They depend on the
 * number of deliveries that a payment covers.
 */
function computePaymentChange(
  { input: requestedInterval, state }: IntervalChangeCase,
  target: IntervalTarget,
) {
  const { contract, _svcShop: shop, _svcCycles: cycles } = state;
  const deliveriesAfter = deliveriesPerPayment(target);
  // Another app may have created a contract whose payments do not cover a whole number of deliveries. Assume the number
  // after the change, because only the resulting prices of the lines are known.
  const deliveriesBefore = deliveriesPerPayment(contract) ?? deliveriesAfter;
  if (deliveriesBefore === undefined || deliveriesAfter === undefined)
    return partialDeliveryError(requestedInterval);
  const { originOrder, currencyCode } = contract;
  const deliveries = { deliveriesBefore, deliveriesAfter };
  const lineUpdates = buildLineUpdates({
    lines: contract.lines.nodes,
    plans: target.plans,
    offered: target.offered,
    isRescheduled: !arePoliciesInForce(contract, target),
    deliveries,
    paidOrderCount: countPaidOrders({ originOrder, cycles }),
    currencyCode,
    shopCurrencyCode: shop.currencyCode,
    field: intervalArgumentName(requestedInterval),
  });
  if ('code' in lineUpdates) return lineUpdates;
  return {
    facts: lineUpdates.facts,
    mutations: [...lineUpdates.mutations, ...buildDiscountMutations(contract, deliveries)],
    deliveryPrice: scaleDeliveryPrice(contract, deliveries),
  };
}

/** Returns INVALID: a payment would not cover a whole number of deliveries. */
function partialDeliveryError(requestedInterval: IntervalInput): OperationError {
  return createUserError('INVALID', {
    field: [intervalArgumentName(requestedInterval)],
    message: message('paymentUneven'),
  });
}

/** Whether the plan of any line changes. Even a plan with the same interval can have another price. */
function isOtherPlan({ lines }: IntervalState['contract'], { plans }: IntervalTarget): boolean {
  return !haveNewPlans(lines.nodes, plans);
}

/**
 * Returns the error for an order that prevents the change: ORDER_TOO_CLOSE, or INCOMPLETE_BILLING_ATTEMPTS when the order of the
 * current cycle is due and not paid. The platform may count that cycle again, and the order would lose its day.
 */
async function findOrderError(
  { deps, state }: IntervalChangeCase,
  nowMs: number,
): Promise<OperationError | undefined> {
  const orderTooClose = findOrderBlockingChange(state, nowMs);
  if (orderTooClose !== undefined) return orderTooCloseError(orderTooClose, state);
  const [unpaidOrder] = await deps.selectOverdueOrders(state.contract.id, listUpcomingCycles(state));
  if (unpaidOrder === undefined) return undefined;
  const errorMessage = message('orderUnpaidBeforeInterval', { day: orderDueAtMs(unpaidOrder) });
  const fieldAndMessage = { field: ['contractId'], message: errorMessage };
  return createUserError('INCOMPLETE_BILLING_ATTEMPTS', fieldAndMessage, orderErrorDetails(unpaidOrder));
}

function findOrderBlockingChange(
  { contract, _svcNear: near }: IntervalState,
  nowMs: number,
): BillingCycle | undefined {
  return findOrderTooClose(near?.nodes ?? [], { nowMs, policy: contract.billingPolicy });
}

/**
 * Returns ORDER_TOO_CLOSE. It names the order that is too close, and the earliest time at which the change is
 * possible: when no order is due within the following 48 hours.
 */
function orderTooCloseError(orderTooClose: BillingCycle, state: IntervalState): OperationError {
  let lastCloseOrder = orderTooClose;
  for (
    let nextCloseOrder: BillingCycle | undefined = orderTooClose;
    nextCloseOrder;
    nextCloseOrder = findOrderBlockingChange(state, orderDueAtMs(nextCloseOrder))
  )
    lastCloseOrder = nextCloseOrder;
  const [day, until] = [orderDueAtMs(orderTooClose), orderDueAtMs(lastCloseOrder)];
  const errorMessage = orderTooClose.skipped
    ? message('orderTooCloseToRestore', { day, until })
    : message('orderTooClose', { hours: ORDER_TOO_CLOSE_HOURS, day });
  const earliestDate = formatInstant(floorToSecond(until + 1_000));
  const orderDetails = {
    ...orderErrorDetails(orderTooClose),
    limit: ORDER_TOO_CLOSE_HOURS,
    earliest: earliestDate,
  };
  return createUserError('ORDER_TOO_CLOSE', { field: ['contractId'], message: errorMessage }, orderDetails);
}

/**
 * Builds the mutation of the draft's policies, delivery price and date. A policy is sent with all its fields, because
 * the platform resets those that are omitted.
 */
function buildIntervalDraftUpdate(
  { state, input: requestedInterval }: IntervalChangeCase,
  target: IntervalTarget,
  deliveryPrice: string | undefined,
): DraftMutation[] {
  const { billingPolicy, deliveryPolicy, dateMs } = target;
  const changesPolicies = !arePoliciesInForce(state.contract, target);
  const draftInput = {
    ...((changesPolicies || !isMinimumUnchanged(state.contract, target)) && { billingPolicy }),
    ...(changesPolicies && { deliveryPolicy }),
    ...(deliveryPrice !== undefined && { deliveryPrice }),
    ...(dateMs !== undefined && { nextBillingDate: formatInstant(dateMs) }),
  };
  if (Object.keys(draftInput).length === 0) return [];
  return [
    {
      mutation: 'subscriptionDraftUpdate',
      args: { input: ['SubscriptionDraftInput!', draftInput] },
      toClientField: (path) =>
        path.includes('nextBillingDate')
          ? ['nextBillingDate']
          : [requestedInterval.interval === undefined ? 'sellingPlanId' : 'interval'],
      ...(dateMs !== undefined && {
        errorConverters: { INVALID_BILLING_DATE: (fault) => datePassedError(fault, dateMs) },
      }),
    },
  ];
}

/** Whether the minimum number of orders stays. A plan with the same interval can have another minimum. */
function isMinimumUnchanged(contract: ContractPolicies, { billingPolicy }: ContractPolicies): boolean {
  return billingPolicy.minCycles === contract.billingPolicy.minCycles;
}

function datePassedError({ field }: ArgumentFault, dateMs: Instant): OperationError {
  const fieldAndMessage = { field, message: message('datePassed') };
  return createUserError('DATE_IN_PAST', fieldAndMessage, { date: formatInstant(dateMs) });
}

/**
 * Moves the next order to the date of the target. Reads the cycles again, because the committed interval has created
 * new ones.
 */
async function moveNextOrderToDate(
  { deps, input: requestedInterval, state: { contract } }: IntervalChangeCase,
  target: IntervalTarget,
  recordAlso: RecordFurtherFacts,
): Promise<void> {
  const dateMs = targetOrderDate(contract, target);
  if (dateMs === undefined) return;
  const isLaterOrderAllowed = requestedInterval.dateMs === undefined;
  const moveRequest = {
    contractId: contract.id,
    dateMs,
    reason: scheduleEditReason(deps),
    isLaterOrderAllowed,
  };
  await moveOrder({ ...deps, recordAlso }, moveRequest);
}

type CommittedInterval = {
  readonly contract: IntervalContract;
  readonly target: IntervalTarget;
  readonly edits: readonly UpcomingEdit[];
};

/** Assigns dates to the orders of a postponed contract: they follow from the next order by the new interval. */
async function assignPostponedOrderDates(
  deps: IntervalChangeDeps,
  { contract, target, edits }: CommittedInterval,
  recordAlso: RecordFurtherFacts,
): Promise<void> {
  const ref = parseContractRef(deps.store.shopId, contract.id);
  const record = ref && (await deps.postponements.read(ref));
  if (record === undefined) return;
  const { billingPolicy: frequency } = target;
  const dateMs = targetOrderDate(contract, target);
  if (!hasDatesToReassign(record, { edits, dateMs })) {
    // The earlier postponements cannot be reverted on the new cycles, so the record ends.
    if (!isSameFrequency(contract.billingPolicy, frequency))
      await deps.postponements.end(record, { empty: null });
    return;
  }
  const [timeZone, reason] = [timeZoneOf(deps.store), scheduleEditReason(deps)];
  await reassignOrderDates(
    { ...deps, recordAlso },
    { contractId: contract.id, record, frequency, timeZone, reason },
  );
}

async function restoreEditsAfterCommit(
  { deps, input: requestedInterval, state, beganAtMs }: IntervalChangeCase,
  committed: AppliedOutcome,
  {
    target,
    ...toRestore
  }: Pick<EditsToRestore, 'edits' | 'pastOrders'> & { readonly target: IntervalTarget },
): Promise<AppliedOutcome> {
  const contractId = state.contract.id;
  const ref = parseContractRef(deps.store.shopId, contractId);
  const record = ref && (await deps.postponements.read(ref));
  const dateMs = targetOrderDate(state.contract, target);
  const unfinishedChange = ref && (await deps.unfinishedIntervals.read(ref));
  const allDroppedEdits = await restoreEditsOnNewCycles(deps, {
    ...toRestore,
    // A change at the same time may have been committed just before.
    pastOrders: [...toRestore.pastOrders, ...(unfinishedChange?.pastOrders ?? [])],
    contractId,
    interval: target.billingPolicy,
    reason: scheduleEditReason(deps),
    entries: await readEventsSince(deps, { shopId: deps.store.shopId, contractId }, beganAtMs),
    beganAtMs,
    readAtMs: beganAtMs,
    cyclesWithoutOrder: record === undefined ? [] : listCyclesWithoutOrder(record),
    postponed:
      record && hasDatesToReassign(record, { edits: toRestore.edits, dateMs })
        ? { dates: record.dates, dateMs }
        : undefined,
  });
  if (ref !== undefined) await deps.unfinishedIntervals.delete(ref);
  const lostEdits = allDroppedEdits.filter((edit) => !isMoveOfDatedOrder(edit, requestedInterval));
  const droppedEdits = await omitSkipsOfChosenDates(deps, contractId, lostEdits);
  return { ...committed, locals: { ...committed.locals, droppedEdits } };
}

/** Whether the edit is the move of the order that gets the client's date. It is moved there afterwards, even if it is skipped. */
function isMoveOfDatedOrder({ skipped, movedTo }: DroppedEdit, { dateMs }: IntervalInput): boolean {
  return !skipped && dateMs !== undefined && parseInstant(movedTo) === dateMs;
}

/** How many changes in a row are kept that may have orders to skip. */
const MAX_PAST_ORDERS = 20;

/**
 * Stores the skips and moves before the commit, so that they are not lost if the process crashes after it. The record
 * is written even if there are none, because it contains when the change started. It keeps the orders to skip of
 * earlier changes, which may not be finished.
 */
async function storeUnfinishedInterval(
  { deps, state, beganAtMs }: IntervalChangeCase,
  unfinished: Omit<UnfinishedIntervalChange, 'beganAtMs'>,
): Promise<void> {
  const ref = parseContractRef(deps.store.shopId, state.contract.id);
  if (ref === undefined) return;
  const earlierChange = await deps.unfinishedIntervals.read(ref);
  const pastOrders = [...(earlierChange?.pastOrders ?? []), ...unfinished.pastOrders].slice(-MAX_PAST_ORDERS);
  await deps.unfinishedIntervals.store(ref, { ...unfinished, pastOrders, beganAtMs });
}

function toDraftOperationRefusal(error: OperationError): DraftOperationRefusal {
  return { kind: 'refused', userErrors: [error] };
}
