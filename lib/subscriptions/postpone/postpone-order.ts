/**
 * Moves the next order of a contract to a later day. The orders after it follow from that day by the interval, so that
 * no order is lost and none comes twice.
 */
import { parseInstant } from '../../domain/instant.ts';
import { timeZoneOf } from '../../storage/stores.ts';
import { findContractError, requireOwnership } from '../contract-facts.ts';
import { parseContractRef } from '../contract-ref.ts';
import { orderDueAtMs } from '../cycles/billing-cycle.ts';
import { buildUpcomingOrderLists } from '../cycles/upcoming-orders.ts';
import type { Operation, OperationDecision, OperationRequest } from '../operation.ts';
import { createRefusedOutcome } from '../operation-error.ts';
import { findNextOrder } from '../order-content.ts';
import { ordersBeingChangedError } from '../order-dates/claim-orders.ts';
import { listCyclesWithoutOrder } from '../order-dates/postponed-orders.ts';
import type { PostponedDates, PostponementRecord } from '../order-dates/postponements.ts';
import { isDateChangePending } from '../order-dates/postponements.ts';
import { readContract } from '../read-contract.ts';
import { isSameFrequency } from '../selling-plans/frequency.ts';
import type { PostponeDeps } from './apply-order-edits.ts';
import type { CycleToDate } from './plan-order-dates.ts';
import { isFirstOrderWithDate, planPostponement } from './plan-postponement.ts';
import { createOrdersChange, type PostponedState, upcomingOrdersAfter } from './planned-postponement.ts';
import {
  alreadyBilledError,
  cyclesFromNextOrder,
  findContractToPostponeError,
  findOrderToPostponeError,
  noUpcomingOrderError,
  toPostponementError,
} from './postponement-errors.ts';
import { CYCLES_PER_READ, MAX_CYCLES_PER_READ, readContractOrders } from './read-contract-orders.ts';

/**
 * Returns the contract with its `upcomingOrders`, or userErrors: CONTRACT_TERMINATED, CONTRACT_NOT_ACTIVE,
 * ORDERS_ON_FIXED_DAYS, NO_UPCOMING_ORDER, CYCLE_DATE_MISMATCH, DATE_IN_PAST, DATE_TOO_FAR, OUT_OF_BOUNDS,
 * HAS_FUTURE_EDITS, CYCLES_IRREGULAR, CYCLE_ALREADY_BILLED, INCOMPLETE_BILLING_ATTEMPTS, CONCURRENT_UPDATE. Sends three
 * platform requests, and one more if the client selects the contract; a dry run sends one.
 */
export const postponeOrder: Operation<PostponeDeps> = async (deps, request) => {
  const { args, selection } = request;
  const contractId = String(args.contractId);
  const ref = parseContractRef(deps.store.shopId, contractId);
  if (ref === undefined) throw new Error('the schema takes no such id');
  const isDryRun = args.dryRun === true;
  const record = await deps.postponements.read(ref);
  for (let cycleCount = CYCLES_PER_READ; ; cycleCount = MAX_CYCLES_PER_READ) {
    const orders = await readContractOrders(deps, {
      contractId,
      cycleCount,
      ...(isDryRun && { selection }),
    });
    requireOwnership(deps, orders.contract);
    const refusal = findContractError(orders.contract, 'contractId');
    if (refusal !== undefined || orders.contract === undefined)
      return createRefusedOutcome(refusal ? [refusal] : []);
    const decision = decidePostponement(deps, request, { ...orders, contract: orders.contract, record, ref });
    if (decision !== 'more cycles') return decision;
    if (cycleCount >= MAX_CYCLES_PER_READ) return createRefusedOutcome([noUpcomingOrderError()]);
  }
};

type State = PostponedState;

function decidePostponement(
  deps: PostponeDeps,
  request: OperationRequest,
  state: State,
): Promise<OperationDecision> | OperationDecision | 'more cycles' {
  const { contract, record, areAllCycles } = state;
  const [timeZone, nowMs, to] = [timeZoneOf(deps.store), deps.now(), String(request.args.to)];
  if (isDateChangePending(record, nowMs)) return createRefusedOutcome([ordersBeingChangedError()]);
  const cycles = cyclesFromNextOrder(state, nowMs);
  const [next, following] = cycles;
  if (isRetryOfPostponement(record, next, request.args)) return decideUnchanged(deps, request, state);
  const refusal = findContractToPostponeError(contract, following);
  if (refusal !== undefined) return createRefusedOutcome([refusal]);
  if (next === undefined) {
    const isReadComplete = areAllCycles || findNextOrder(state.cycles, nowMs) !== undefined;
    return isReadComplete ? createRefusedOutcome([noUpcomingOrderError()]) : 'more cycles';
  }
  const orderError = findOrderToPostponeError(next, request.args.expectedDate, nowMs);
  if (orderError !== undefined) return createRefusedOutcome([orderError]);
  const { interval, intervalCount } = contract.billingPolicy;
  const frequency = { interval, intervalCount };
  const previousDates = datesBeforePostponement(state);
  const plan = planPostponement({
    ...{ cycles, areAllCycles, timeZone, nowMs, to, frequency },
    former: previousDates?.laid,
    cyclesWithoutOrder: record === undefined ? [] : listCyclesWithoutOrder(record),
  });
  if (plan.kind === 'more cycles' && state.cycles.length < MAX_CYCLES_PER_READ) return 'more cycles';
  if (plan.kind !== 'dates assigned' && plan.kind !== 'moved') {
    return createRefusedOutcome([toPostponementError(plan, { next, to, timeZone, nowMs })]);
  }
  const billedCycle =
    plan.kind === 'dates assigned' &&
    cycles.find((cycle) => isFirstOrderWithDate(plan, cycle))?.status === 'BILLED';
  if (billedCycle) return createRefusedOutcome([alreadyBilledError(next)]);
  const currentCycleIndex = state.cycles[0]?.cycleIndex ?? next.cycleIndex;
  const plannedPostponement = {
    ...state,
    cycles,
    postponedCycle: next,
    currentCycleIndex,
    previousDates,
    plan,
    to,
  };
  if (request.args.dryRun !== true) return createOrdersChange(deps, request, plannedPostponement);
  const { selectedFields, errors } = state;
  return { selectedFields, errors, userErrors: [], locals: upcomingOrdersAfter(deps, plannedPostponement) };
}

/**
 * Returns the dates of earlier postponements.
 * @returns undefined when there are none, or the contract has got another interval since: these dates then count as
 * moves of single orders
 */
function datesBeforePostponement({ record, contract }: State): PostponedDates | undefined {
  const dates = record?.dates;
  return isSameFrequency(dates?.laid, contract.billingPolicy) ? dates : undefined;
}

/**
 * Whether the request repeats the latest postponement, so that nothing is changed. It does not if the order is back
 * on its former date.
 */
function isRetryOfPostponement(
  record: PostponementRecord | undefined,
  next: CycleToDate | undefined,
  { expectedDate, to }: OperationRequest['args'],
): boolean {
  const { latest } = record ?? {};
  const dateMs = parseInstant(expectedDate);
  if (latest === undefined || latest.to !== to || parseInstant(latest.expectedDate) !== dateMs) return false;
  return next === undefined || orderDueAtMs(next) !== dateMs;
}

async function decideUnchanged(
  deps: PostponeDeps,
  { args, selection }: OperationRequest,
  { contract, cycles, selectedFields, errors, record }: State,
): Promise<OperationDecision> {
  const { upcomingOrders } = buildUpcomingOrderLists(
    { _svcUpcoming: { nodes: cycles } },
    { nowMs: deps.now(), postponedDates: { dates: record?.dates, timeZone: timeZoneOf(deps.store) } },
  );
  const locals = { upcomingOrders };
  if (args.dryRun === true) return { selectedFields, errors, userErrors: [], locals };
  return { ...(await readContract(deps, { contractId: contract.id, selection })), locals };
}
