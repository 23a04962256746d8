/**
 * Sends the next order now: it becomes due in five minutes, and the merchant's next run charges it. The orders after it keep
 * their dates. An order is due within its own cycle only, so if that cycle has not begun, the order of the current cycle
 * comes in its place, and the order's cycle is skipped.
 */
import { floorToSecond, formatInstant, formatPlatformDate } from '../../domain/instant.ts';
import { runAfterChangeStarted } from '../../errors/is-outcome-unknown.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { message } from '../../messages/message.ts';
import { sendNowSettingOf } from '../../storage/stores.ts';
import { type ChangedFact, createFact } from '../../timeline/facts.ts';
import { checkOwner, refuseContract } from '../contract-facts.ts';
import type {
  AppliedOutcome,
  Operation,
  OperationDecision,
  OperationDeps,
  OperationRequest,
} from '../operation.ts';
import { createRefusedOutcome, createUserError, type OperationError } from '../operation-error.ts';
import { findFirstCycleToCharge } from '../order-content.ts';
import { readContract } from '../read-contract.ts';
import { type ContractState, type RootReads, readContractState } from '../read-contract-state.ts';
import { earliestOfferedDate } from '../requested-date.ts';
import { readSelectedObjects, recoverLostResponse } from '../send-change.ts';
import {
  type BillingCycle,
  CYCLE_SELECTION,
  containsDate,
  orderDueAtMs,
  orderErrorDetails,
  refuseUnexpectedDate,
  scheduleEditReason,
} from './billing-cycle.ts';
import { MAX_OVERDUE_MS } from './order-move.ts';
import type { ScheduleEdit } from './restore-edits.ts';
import { sendEdits } from './send-edits.ts';
import { buildUpcomingOrderLists, buildUpcomingReads, type UpcomingState } from './upcoming-orders.ts';

const CONTRACT = ['contractId'];

type State = ContractState &
  UpcomingState & { readonly _svcPrevious: { readonly nodes: readonly BillingCycle[] } | null };

/** Builds root fields that read the cycles from now on, and the ones before: the last order may still be unpaid. */
function stateReads(nowMs: number): RootReads {
  const upcoming = buildUpcomingReads(nowMs, nowMs);
  const dates = { startDate: formatPlatformDate(nowMs - MAX_OVERDUE_MS), endDate: formatPlatformDate(nowMs) };
  return {
    roots: `${upcoming.roots} _svcPrevious: subscriptionBillingCycles(contractId: $_svcContractId, billingCyclesDateRangeSelector: $_svcPreviousDates, last: 4) { nodes { ${CYCLE_SELECTION} } }`,
    declarations: [
      ...upcoming.declarations,
      '$_svcPreviousDates: SubscriptionBillingCyclesDateRangeSelector!',
    ],
    variables: { ...upcoming.variables, _svcPreviousDates: dates },
  };
}

/**
 * Returns the contract with `upcomingOrders`, or userErrors: SEND_NOW_NOT_OFFERED, INVALID, CONTRACT_TERMINATED,
 * CONTRACT_NOT_ACTIVE, NO_UPCOMING_ORDER, CYCLE_DATE_MISMATCH, OUT_OF_BOUNDS and INCOMPLETE_BILLING_ATTEMPTS. Sends three
 * platform requests, two if the order is due already.
 */
export const sendOrderNow: Operation = async (deps, request) => {
  const { args, selection } = request;
  const contractId = String(args.contractId);
  const nowMs = deps.now();
  const reads = { contract: '', ...stateReads(nowMs) };
  const { state } = await readContractState<State>(deps, { contractId, reads });
  checkOwner(deps, state?.contract);
  const cycles = state?._svcUpcoming?.nodes ?? [];
  const next = findFirstCycleToCharge(cycles);
  const refusal = refuseContract(state?.contract, 'contractId') ?? refuseNow(deps, state, next, args);
  if (refusal !== undefined) return createRefusedOutcome([refusal]);
  if (state === undefined || next === undefined) throw new Error('neither found nor refused');
  const atMs = earliestOfferedDate(nowMs);
  if (orderDueAtMs(next) <= atMs) {
    const outcome = await readContract(deps, { contractId, selection });
    return { ...outcome, locals: upcomingOf(state, []) };
  }
  const current = cycles.find((cycle) => containsDate(cycle, atMs)) ?? next;
  if (current.status === 'BILLED') return createRefusedOutcome([notBefore(next)]);
  const unpaid = unpaidBefore(state, current);
  if (unpaid !== undefined) return createRefusedOutcome([earlierOrderUnpaid(unpaid)]);
  return planMove(deps, request, { state, next, current, date: formatInstant(atMs) });
};

/** Returns why the next order of an existing contract cannot be sent now. */
function refuseNow(
  { store }: OperationDeps,
  state: State | undefined,
  next: BillingCycle | undefined,
  { expectedDate }: OperationRequest['args'],
): OperationError | undefined {
  if (sendNowSettingOf(store) === 'OFF') {
    return createUserError('SEND_NOW_NOT_OFFERED', { field: null, message: message('sendNowNotOffered') });
  }
  const status = state?.contract.status ?? '';
  if (status !== 'ACTIVE') {
    const fault = { field: CONTRACT, message: message('contractNotActive') };
    return createUserError('CONTRACT_NOT_ACTIVE', fault, { status });
  }
  if (next === undefined) {
    return createUserError('NO_UPCOMING_ORDER', { field: CONTRACT, message: message('noUpcomingOrder') });
  }
  return refuseUnexpectedDate(next, expectedDate);
}

/**
 * Returns the order before the current cycle if it is due, declined or being charged. Both orders would be charged by the
 * merchant's next run. At the end of a cycle, `nextOrder` is already the following order.
 */
function unpaidBefore({ _svcPrevious }: State, current: BillingCycle): BillingCycle | undefined {
  const orders = (_svcPrevious?.nodes ?? []).filter(
    ({ cycleIndex, skipped }) => cycleIndex < current.cycleIndex && !skipped,
  );
  const last = orders.at(-1);
  return last?.status === 'BILLED' ? undefined : last;
}

function earlierOrderUnpaid(order: BillingCycle): OperationError {
  const fault = { field: CONTRACT, message: message('earlierOrderUnpaid', { day: orderDueAtMs(order) }) };
  return createUserError('INCOMPLETE_BILLING_ATTEMPTS', fault, orderErrorDetails(order));
}

/** Returns OUT_OF_BOUNDS: the time until the order's cycle is paid. */
function notBefore(next: BillingCycle): OperationError {
  const startMs = Date.parse(next.cycleStartAt);
  const fault = { field: ['expectedDate'], message: message('orderNotBefore', { day: startMs }) };
  const { cycleIndex, date } = orderErrorDetails(next);
  return createUserError('OUT_OF_BOUNDS', fault, {
    cycleIndex,
    date,
    earliest: formatInstant(floorToSecond(startMs)),
  });
}

type Move = {
  readonly state: State;
  /** The next order, and the cycle that contains the new date. */
  readonly next: BillingCycle;
  readonly current: BillingCycle;
  readonly date: string;
};

function planMove(deps: OperationDeps, { selection }: OperationRequest, move: Move): OperationDecision {
  const { state, next, current, date } = move;
  const contractId = state.contract.id;
  const isOther = current.cycleIndex !== next.cycleIndex;
  // Send the skip first. If the second step fails, an order is missing, which a customer notices, but no order is
  // charged twice.
  const skip: ScheduleEdit[] = isOther ? [{ cycleIndex: next.cycleIndex, skip: true }] : [];
  const arrival: ScheduleEdit = {
    cycleIndex: current.cycleIndex,
    ...(isOther && { skip: false }),
    billingDate: date,
  };
  return {
    intent: {
      action: 'billing_cycle_rescheduled',
      contractId,
      details: {
        ...{ billingCycleIndex: next.cycleIndex, expectedDate: next.billingAttemptExpectedDate },
        ...{ billingDate: date, ...(isOther && { movesOrder: true }) },
      },
      changes: factsOf(move),
    },
    apply: () =>
      recoverLostResponse(
        () => makeMove(deps, move, { selection, skip, arrival }),
        () => findMove(deps, move, { selection, edits: [...skip, arrival] }),
      ),
  };
}

type Edits = {
  readonly selection: OperationRequest['selection'];
  readonly skip: readonly ScheduleEdit[];
  readonly arrival: ScheduleEdit;
};

async function makeMove(
  deps: OperationDeps,
  move: Move,
  { selection, skip, arrival }: Edits,
): Promise<AppliedOutcome> {
  const contractId = move.state.contract.id;
  const edits = [...skip, arrival];
  const refused = await sendEdits(deps, { contractId, reason: scheduleEditReason(deps), edits });
  if (refused.length > 0) return takeBack(deps, move, { edits, refused });
  const read = () => readContract(deps, { contractId, selection });
  const outcome = await runAfterChangeStarted('an order was moved', read);
  return { ...outcome, locals: upcomingOf(move.state, edits) };
}

/** Returns the outcome if the cycles show the edits after a lost response. */
async function findMove(
  deps: OperationDeps,
  { state: before }: Move,
  { selection, edits }: Pick<Edits, 'selection'> & { readonly edits: readonly ScheduleEdit[] },
): Promise<AppliedOutcome | undefined> {
  const [nowMs, contractId] = [deps.now(), before.contract.id];
  const reads = { contract: '', ...buildUpcomingReads(nowMs, nowMs) };
  const { state, data, errors } = await readContractState<State>(deps, {
    contractId,
    reads,
    answer: selection,
  });
  const cycles = state?._svcUpcoming?.nodes ?? [];
  const isMade = edits.every(({ cycleIndex, skip = false, billingDate }) => {
    const cycle = cycles.find((one) => one.cycleIndex === cycleIndex);
    const date = billingDate ?? cycle?.billingAttemptExpectedDate;
    return cycle?.skipped === skip && cycle.billingAttemptExpectedDate === date;
  });
  if (!isMade) return undefined;
  const answered = readSelectedObjects(selection, data);
  return { answered, userErrors: [], errors, locals: upcomingOf(before, edits) };
}

/**
 * Undoes the edit that was made if the other one was refused, so that no order is lost or comes twice. Returns that the
 * order is being billed: the platform refuses no other edit.
 */
async function takeBack(
  deps: OperationDeps,
  { state, next }: Move,
  { edits, refused }: { readonly edits: readonly ScheduleEdit[]; readonly refused: readonly ScheduleEdit[] },
): Promise<AppliedOutcome> {
  const made = edits.filter((edit) => !refused.includes(edit));
  if (made.length > 0) {
    const undoing = made.map(({ cycleIndex, skip }) => ({ cycleIndex, skip: skip !== true }));
    const request = { contractId: state.contract.id, reason: scheduleEditReason(deps), edits: undoing };
    const left = await runAfterChangeStarted('an order was skipped', () => sendEdits(deps, request));
    if (left.length > 0) throw new ServiceError('OUTCOME_UNKNOWN', { internal: 'one of two edits stays' });
  }
  const fault = { field: CONTRACT, message: message('orderBeingBilled') };
  return createRefusedOutcome([
    createUserError('INCOMPLETE_BILLING_ATTEMPTS', fault, orderErrorDetails(next)),
  ]);
}

function factsOf({ next, current, date }: Move): ChangedFact[] {
  const field = (cycle: BillingCycle, name: string) => `billingCycles.${cycle.cycleIndex}.${name}`;
  const before = current.billingAttemptExpectedDate;
  const moved = createFact(field(current, 'billingAttemptExpectedDate'), { before, after: date });
  if (current.cycleIndex === next.cycleIndex) return [moved];
  const skipped = createFact(field(next, 'skipped'), { before: 'false', after: 'true' });
  const restored = createFact(field(current, 'skipped'), { before: 'true', after: 'false' });
  return [skipped, ...(current.skipped ? [restored] : []), moved];
}

function upcomingOf(state: State, edits: readonly ScheduleEdit[]) {
  return { upcomingOrders: buildUpcomingOrderLists(state, { edits }).upcomingOrders };
}
