/**
 * Sends the next order now: it becomes due in five minutes, and the merchant's next run charges it. The orders after
 * it keep their dates. An order can be due only within its own cycle. So if the cycle of the next order has not
 * begun, the order of the current cycle comes instead, and the cycle of the next order is skipped.
 */
import { formatInstant } from '../../domain/instant.ts';
import { runAfterChangeStarted } from '../../errors/is-outcome-unknown.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { timeZoneOf } from '../../storage/stores.ts';
import { createFact, type FactChange } from '../../timeline/facts.ts';
import type {
  AppliedOutcome,
  Operation,
  OperationDecision,
  OperationDeps,
  OperationRequest,
  PlannedChange,
} from '../operation.ts';
import { createRefusedOutcome } from '../operation-error.ts';
import { decideWithOrdersClaimed } from '../order-dates/claim-orders.ts';
import type { PostponementRecord, PostponementState } from '../order-dates/postponements.ts';
import { readContract } from '../read-contract.ts';
import { readContractState } from '../read-contract-state.ts';
import { recoverLostResponse, selectedObjectsOf } from '../send-change.ts';
import { type BillingCycle, orderDueAtMs, scheduleEditReason } from './billing-cycle.ts';
import { findOrderToSend, type OrderToSend, type SendNowDeps } from './order-to-send.ts';
import type { ScheduleEdit } from './plan-restored-edits.ts';
import {
  type RefusedEdit,
  sendScheduleEdits,
  sendScheduleEditsForErrors,
  toScheduleEditError,
} from './send-schedule-edits.ts';
import { buildUpcomingOrderLists, buildUpcomingReads } from './upcoming-orders.ts';

/**
 * Returns the contract with `upcomingOrders`, or userErrors: SEND_NOW_NOT_OFFERED, INVALID, CONTRACT_TERMINATED,
 * CONTRACT_NOT_ACTIVE, NO_UPCOMING_ORDER, CYCLE_DATE_MISMATCH, OUT_OF_BOUNDS, INCOMPLETE_BILLING_ATTEMPTS and
 * CONCURRENT_UPDATE. Sends three platform requests, two if the order is due already.
 */
export const sendOrderNow: Operation<SendNowDeps> = (deps, request) =>
  decideWithOrdersClaimed(deps, { argument: 'contractId', args: request.args }, (postponementRecord) =>
    planSendNow(deps, request, postponementRecord),
  );

async function planSendNow(
  deps: SendNowDeps,
  request: OperationRequest,
  record: PostponementRecord | undefined,
  isLastAttempt = false,
): Promise<OperationDecision> {
  const order = await findOrderToSend(deps, request, record);
  return 'nextCycle' in order ? planSendNowMove(deps, request, order, isLastAttempt) : order;
}

/**
 * Plans the move of the order to its new date. If `isLastAttempt` is true, a refusal of the platform is returned to
 * the client, and the order is not read again.
 */
function planSendNowMove(
  deps: SendNowDeps,
  request: OperationRequest,
  order: OrderToSend,
  isLastAttempt: boolean,
): PlannedChange & Pick<PostponementState, 'dates' | 'empty'> {
  const { state, nextCycle, currentCycle } = order;
  const orderDate = formatInstant(order.atMs);
  const sendsLaterOrder = currentCycle.cycleIndex !== nextCycle.cycleIndex;
  // Send the skip first. If only the skip is made, an order is missing, which a customer notices, but no order is
  // charged twice.
  const scheduleEdits: ScheduleEdit[] = [
    ...(sendsLaterOrder ? [{ cycleIndex: nextCycle.cycleIndex, skip: true }] : []),
    { cycleIndex: currentCycle.cycleIndex, ...(sendsLaterOrder && { skip: false }), billingDate: orderDate },
  ];
  const sendNowMove = { order, edits: scheduleEdits, selection: request.selection };
  return {
    ...(sendsLaterOrder && addCycleWithoutOrder(order)),
    intent: {
      action: 'billing_cycle_rescheduled',
      contractId: state.contract.id,
      details: {
        ...{ billingCycleIndex: nextCycle.cycleIndex, expectedDate: nextCycle.billingAttemptExpectedDate },
        ...{ billingDate: orderDate, isSentNow: true, ...(sendsLaterOrder && { movesOrder: true }) },
      },
      changes: listSendNowFacts(order, orderDate),
    },
    apply: async () => {
      const appliedOutcome = await recoverLostResponse(
        () => applySendNowMove(deps, sendNowMove),
        () => findAppliedSendNowMove(deps, sendNowMove),
      );
      // The order has changed since it was read, so decide again with its new state.
      const isChanged = appliedOutcome.userErrors.some(({ code }) => code !== 'INCOMPLETE_BILLING_ATTEMPTS');
      return isChanged && !isLastAttempt ? 'stale' : appliedOutcome;
    },
    restart: () => planSendNow(deps, request, order.record, true),
  };
}

/**
 * Returns the change of the postponement record after the next order was sent in another cycle: the cycle of that
 * order is then without an order.
 */
function addCycleWithoutOrder({
  record,
  nextCycle,
  currentCycle,
}: OrderToSend): Pick<PostponementState, 'dates' | 'empty'> {
  const { cycleIndex, billingAttemptExpectedDate: expectedDate } = nextCycle;
  const cycleWithoutOrder = { cycleIndex, date: expectedDate, sentIn: currentCycle.cycleIndex };
  const { dates } = record ?? {};
  return dates === undefined
    ? { empty: [...(record?.empty ?? []), cycleWithoutOrder] }
    : { dates: { ...dates, skipped: [...dates.skipped, cycleWithoutOrder] } };
}

type SendNowMove = {
  readonly order: OrderToSend;
  /** The schedule edits in the order in which they are sent. */
  readonly edits: readonly ScheduleEdit[];
  readonly selection: OperationRequest['selection'];
};

async function applySendNowMove(
  deps: OperationDeps,
  { order, edits, selection }: SendNowMove,
): Promise<AppliedOutcome> {
  const contractId = order.state.contract.id;
  const refusedErrors = await sendScheduleEditsForErrors(deps, {
    contractId,
    reason: scheduleEditReason(deps),
    edits,
  });
  const [firstRefusal] = refusedErrors;
  if (firstRefusal !== undefined) {
    await revertSendNowEdits(
      deps,
      order,
      edits.filter((edit) => !refusedErrors.some((one) => one.edit === edit)),
    );
    return createRefusedOutcome([toSendNowError(order, firstRefusal)]);
  }
  const readOutcome = () => readContract(deps, { contractId, selection });
  const outcome = await runAfterChangeStarted('an order was moved', readOutcome);
  return { ...outcome, locals: upcomingOrdersAfter(deps, order, edits) };
}

/** Returns the outcome if the cycles show the edits after a lost response. */
async function findAppliedSendNowMove(
  deps: OperationDeps,
  { order, selection, edits }: SendNowMove,
): Promise<AppliedOutcome | undefined> {
  const [nowMs, contractId] = [deps.now(), order.state.contract.id];
  const stateSelection = {
    contractSelection: '',
    ...buildUpcomingReads(nowMs, nowMs, order.state._svcUpcoming?.nodes.length),
  };
  const { state, data, errors } = await readContractState<OrderToSend['state']>(deps, {
    ...{ contractId, reads: stateSelection },
    selection,
  });
  const cycles = state?._svcUpcoming?.nodes ?? [];
  const areEditsMade = edits.every(({ cycleIndex, skip = false, billingDate }) => {
    const cycle = cycles.find((one) => one.cycleIndex === cycleIndex);
    const date = billingDate ?? cycle?.billingAttemptExpectedDate;
    return cycle?.skipped === skip && cycle.billingAttemptExpectedDate === date;
  });
  if (!areEditsMade) return undefined;
  const selectedFields = selectedObjectsOf(selection, data);
  return { selectedFields, userErrors: [], errors, locals: upcomingOrdersAfter(deps, order, edits) };
}

/**
 * Undoes the schedule edit that was made when the platform has refused the other one, so that no order is lost or
 * comes twice.
 */
async function revertSendNowEdits(
  deps: OperationDeps,
  { state, currentCycle }: OrderToSend,
  appliedEdits: readonly ScheduleEdit[],
): Promise<void> {
  if (appliedEdits.length === 0) return;
  const { billingAttemptExpectedDate: billingDate } = currentCycle;
  const revertingEdits = appliedEdits.flatMap(({ cycleIndex, skip }): ScheduleEdit[] => {
    if (skip === true) return [{ cycleIndex, skip: false }];
    // The platform keeps the date of a skipped order, and accepts no date in the past.
    const isOrderAhead = orderDueAtMs(currentCycle) > deps.now();
    return [...(isOrderAhead ? [{ cycleIndex, billingDate }] : []), { cycleIndex, skip: true }];
  });
  const request = { contractId: state.contract.id, reason: scheduleEditReason(deps), edits: revertingEdits };
  const refusedEdits = await runAfterChangeStarted('an order was skipped', () =>
    sendScheduleEdits(deps, request),
  );
  if (refusedEdits.length > 0)
    throw new ServiceError('OUTCOME_UNKNOWN', { internal: 'one of two edits stays' });
}

function toSendNowError(
  { nextCycle, currentCycle }: OrderToSend,
  { edit, error }: RefusedEdit<ScheduleEdit>,
) {
  return toScheduleEditError(error, edit.cycleIndex === currentCycle.cycleIndex ? currentCycle : nextCycle);
}

function listSendNowFacts({ nextCycle, currentCycle }: OrderToSend, date: string): FactChange[] {
  const cycleField = (cycle: BillingCycle, name: string) => `billingCycles.${cycle.cycleIndex}.${name}`;
  const dateBefore = currentCycle.billingAttemptExpectedDate;
  const movedFact = createFact(cycleField(currentCycle, 'billingAttemptExpectedDate'), {
    before: dateBefore,
    after: date,
  });
  if (currentCycle.cycleIndex === nextCycle.cycleIndex) return [movedFact];
  const skippedFact = createFact(cycleField(nextCycle, 'skipped'), { before: 'false', after: 'true' });
  const restoredFact = createFact(cycleField(currentCycle, 'skipped'), { before: 'true', after: 'false' });
  return [skippedFact, ...(currentCycle.skipped ? [restoredFact] : []), movedFact];
}

function upcomingOrdersAfter(
  { now, store }: OperationDeps,
  order: OrderToSend,
  edits: readonly ScheduleEdit[],
) {
  const { state, nextCycle, currentCycle, record } = order;
  const sendsLaterOrder = currentCycle.cycleIndex !== nextCycle.cycleIndex;
  const upcomingCycles = state._svcUpcoming?.nodes.filter(
    (cycle) => !sendsLaterOrder || cycle.cycleIndex !== nextCycle.cycleIndex,
  );
  const postponedDates = { dates: record?.dates, timeZone: timeZoneOf(store) };
  const { upcomingOrders } = buildUpcomingOrderLists(
    { _svcUpcoming: { nodes: upcomingCycles ?? [] } },
    { edits, nowMs: now(), postponedDates },
  );
  return { upcomingOrders };
}
