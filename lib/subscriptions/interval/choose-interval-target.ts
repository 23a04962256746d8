/** Determines the target of an interval change: the state that the contract will have after it. */

import { nextWholeSecond } from '../../domain/instant.ts';
import { isoDayIn, localTimeIn, UTC } from '../../domain/time-zone.ts';
import { message } from '../../messages/message.ts';
import { parseContractRef } from '../contract-ref.ts';
import { type BillingCycle, isDateInCycle } from '../cycles/billing-cycle.ts';
import {
  isDateUnreachable,
  maxOrderDistanceMs,
  noOrderOnDateError,
  planOrderMove,
} from '../cycles/plan-order-move.ts';
import { findBillingStartError, nextOrderDateBounds } from '../cycles/requested-order.ts';
import { findPostponedOrderError } from '../cycles/skip-billing-cycle.ts';
import { findDateError, isBeyondOneYear } from '../find-date-error.ts';
import { createUserError, type OperationError } from '../operation-error.ts';
import { orderDateMs } from '../order-dates/order-dates.ts';
import type { DateBounds } from '../requested-date.ts';
import type { Frequency } from '../selling-plans/frequency.ts';
import { listOfferedIntervals } from '../selling-plans/offered-intervals.ts';
import type { SellingPlan } from '../selling-plans/selling-plan.ts';
import { haveNewPlans } from './build-line-updates.ts';
import { chooseInterval, type OfferedLine } from './choose-interval.ts';
import { findPaidUntilDate } from './find-paid-until-date.ts';
import {
  arePoliciesInForce,
  findIntervalInputError,
  findNamedPlan,
  type IntervalInput,
  type IntervalState,
  type IntervalTarget,
  intervalArgumentName,
  isTargetInForce,
  targetOrderDate,
} from './interval-state.ts';
import { readOfferedPlans } from './read-offered-plans.ts';
import { nextOrderTooFarError } from './read-requested-edits.ts';
import type { IntervalChangeDeps } from './unfinished-intervals.ts';

const DAY_MS = 86_400_000;

export type IntervalTargetRequest = {
  readonly deps: IntervalChangeDeps;
  readonly input: IntervalInput;
  readonly state: IntervalState;
};

/**
 * Returns the state that the contract will have after the interval change (policies, plans of the lines, date of the
 * next order), `in force` when the contract already has it, or a user error. If plans must be chosen, reads them with
 * one platform request per six variants.
 */
export async function chooseIntervalTarget(
  request: IntervalTargetRequest,
): Promise<IntervalTarget | 'in force' | OperationError> {
  const { input, state } = request;
  const inputError = findIntervalInputError(input) ?? findInactiveContractError(request);
  if (inputError !== undefined) return inputError;
  const plan = findNamedPlan(state, input);
  // A customer gets the same error for a plan that does not exist as for a plan that is not offered, so that it reveals
  // nothing.
  if (plan === null) {
    if (isRequestOfCustomer(request)) return resolveChosenTarget(request, null);
    return createUserError('INVALID', { field: ['sellingPlanId'], message: message('planUnknown') });
  }
  const directTarget = applyInputToPolicies(request, plan);
  // A repeated request is recognized before the plans are read: they may have changed since the first request.
  if (isTargetReached(state, directTarget)) return 'in force';
  const isUnchanged =
    arePoliciesInForce(state.contract, directTarget) &&
    haveNewPlans(state.contract.lines.nodes, directTarget.plans);
  const target = isUnchanged ? directTarget : await resolveChosenTarget(request, plan);
  if ('message' in target) return target;
  if (isTargetReached(state, target)) return 'in force';
  return (
    findNextDateError(request, target) ??
    (await findDateBeforeBillingError(request, target)) ??
    (await findPostponedDateError(request, target)) ??
    target
  );
}

/** Returns CONTRACT_NOT_ACTIVE for a date: the orders of a contract that is not active would not follow it. */
function findInactiveContractError({ input, state }: IntervalTargetRequest): OperationError | undefined {
  const { status } = state.contract;
  if (input.dateMs === undefined || status === 'ACTIVE') return undefined;
  const fieldAndMessage = { field: ['nextBillingDate'], message: message('contractNotActive') };
  return createUserError('CONTRACT_NOT_ACTIVE', fieldAndMessage, { status });
}

/** Returns OUT_OF_BOUNDS if the date takes an order from the days that the service will bill to a day before them. */
async function findDateBeforeBillingError(
  { deps, state }: IntervalTargetRequest,
  target: IntervalTarget,
): Promise<OperationError | undefined> {
  const dateMs = targetOrderDate(state.contract, target);
  if (dateMs === undefined) return undefined;
  const cycleOfDate = listUpcomingCycles(state).find((cycle) => isDateInCycle(cycle, dateMs));
  return cycleOfDate && findBillingStartError(deps, cycleOfDate, { argument: 'nextBillingDate', dateMs });
}

/**
 * Returns ORDER_IS_POSTPONED if the interval stays, and the date takes a cycle whose order already comes in another one.
 * After another interval, the order that comes next is moved to the date.
 */
async function findPostponedDateError(
  { deps, state }: IntervalTargetRequest,
  target: IntervalTarget,
): Promise<OperationError | undefined> {
  const { contract } = state;
  const dateMs = targetOrderDate(contract, target);
  const ref = parseContractRef(deps.store.shopId, contract.id);
  if (dateMs === undefined || ref === undefined || !arePoliciesInForce(contract, target)) return undefined;
  const cycle = listUpcomingCycles(state).find((one) => one.skipped && isDateInCycle(one, dateMs));
  if (cycle === undefined) return undefined;
  const record = await deps.postponements.read(ref);
  const dateArgument = { contractId: contract.id, argument: 'nextBillingDate' };
  return findPostponedOrderError(deps, dateArgument, { cycle, record });
}

/** Whether the contract already has the state of the target, and its next order is on the target's date. */
function isTargetReached(state: IntervalState, target: IntervalTarget): boolean {
  if (!isTargetInForce(state, target)) return false;
  const dateMs = targetOrderDate(state.contract, target);
  return dateMs === undefined || planOrderMove(dateMs, listUpcomingCycles(state))?.edits.length === 0;
}

/**
 * Returns the bounds of the dates that the next order can have at the frequency, after the end of the paid cycles.
 */
function nextOrderBounds(
  cycles: readonly BillingCycle[],
  { frequency, paidUntilMs }: { readonly frequency: Frequency; readonly paidUntilMs: number },
  nowMs: number,
): DateBounds {
  const { firstMs, lastMs } = nextOrderDateBounds(cycles, nowMs);
  return {
    firstMs: Math.max(firstMs, nextWholeSecond(paidUntilMs)),
    lastMs: Math.min(lastMs, nowMs + maxOrderDistanceMs(frequency)),
  };
}

/**
 * Returns the latest time at which the last paid cycle can end after the interval change, epoch milliseconds. The
 * platform counts the current cycle again by the new interval, either from its start or not at all. Returns 0 without
 * a paid cycle, and for an interval with anchors, whose cycles only the platform can compute.
 */
export function lastPaidEndMs(
  cycles: readonly BillingCycle[],
  { interval, intervalCount, anchors }: IntervalTarget['billingPolicy'],
): number {
  const [currentCycle] = cycles;
  const lastPaidCycle = cycles.findLast(({ status }) => status === 'BILLED');
  if (currentCycle === undefined || lastPaidCycle === undefined || anchors.length > 0) return 0;
  const intervalCountToPaid = lastPaidCycle.cycleIndex - currentCycle.cycleIndex;
  const frequency = { interval, intervalCount };
  return Math.max(
    addIntervals(currentCycle.cycleStartAt, frequency, intervalCountToPaid + 1),
    addIntervals(currentCycle.cycleEndAt, frequency, intervalCountToPaid),
  );
}

/**
 * Returns the index of the current cycle if the platform may end it in the past when it counts it again by the interval.
 * @returns undefined when its new end is more than a day ahead. For an interval with anchors, only the platform knows the end.
 */
export function findCycleToEndInPast(
  [currentCycle]: readonly BillingCycle[],
  { anchors, ...frequency }: IntervalTarget['billingPolicy'],
  nowMs: number,
): number | undefined {
  if (currentCycle === undefined) return undefined;
  const newEndMs = addIntervals(currentCycle.cycleStartAt, frequency, 1);
  return anchors.length > 0 || newEndMs <= nowMs + DAY_MS ? currentCycle.cycleIndex : undefined;
}

function addIntervals(from: string, { interval, intervalCount }: Frequency, count: number): number {
  const { secondOfDay } = localTimeIn(UTC, Date.parse(from));
  const day = isoDayIn(UTC, Date.parse(from));
  return orderDateMs({ interval, intervalCount, fromCycle: 0, day, secondOfDay }, count, UTC);
}

/** Returns the cycles from the current one on that were read together with the contract. */
export function listUpcomingCycles({ _svcNear: near }: IntervalState): readonly BillingCycle[] {
  return near?.nodes ?? [];
}

/**
 * Returns the target of a change for which no plans have to be chosen: the contract's present policies with the
 * requested interval and the terms of the plan that the client named. If the client named no plan, lines keep their
 * plans.
 */
function applyInputToPolicies(
  { input, state: { contract } }: IntervalTargetRequest,
  plan: SellingPlan | undefined,
): IntervalTarget {
  const { billingPolicy, deliveryPolicy, lines } = contract;
  const { minCycles } = billingPolicy;
  const anchors = plan?.deliveryPolicy.anchors ?? billingPolicy.anchors;
  return {
    billingPolicy: { ...billingPolicy, ...plan?.billingPolicy, anchors, minCycles, ...input.interval },
    deliveryPolicy: { ...deliveryPolicy, ...plan?.deliveryPolicy },
    // The offered plans are not needed, because this target is used only if no plan has to be chosen.
    offered: [],
    plans: new Map(plan === undefined ? [] : lines.nodes.map(({ id }) => [id, plan])),
    plan,
    dateMs: input.dateMs,
  };
}

function isRequestOfCustomer({ deps }: IntervalTargetRequest): boolean {
  return deps.actingCustomerId !== undefined;
}

async function resolveChosenTarget(
  request: IntervalTargetRequest,
  plan: SellingPlan | null | undefined,
): Promise<IntervalTarget | OperationError> {
  const { deps, input, state } = request;
  const { contract } = state;
  const { nodes } = contract.lines;
  const variantIds = [...new Set(nodes.flatMap(({ variantId }) => variantId ?? []))];
  const offerByVariant = await readOfferedPlans(deps, variantIds);
  const isCustomer = isRequestOfCustomer(request);
  const lines = nodes.map(({ id, sellingPlanId, variantId, currentPrice }): OfferedLine => {
    const { plans = [], isForSale = true } = offerByVariant.get(variantId ?? '') ?? {};
    // A customer cannot choose a plan of a product that is no longer for sale, but a line keeps the plan that it has.
    const isWithdrawn = isCustomer && !isForSale;
    const offeredPlans = isWithdrawn ? plans.filter((one) => one.id === sellingPlanId) : plans;
    const isFreeLine = Number(currentPrice.amount) === 0;
    return { id, sellingPlanId, offered: offeredPlans, isWithdrawn, isGift: isFreeLine };
  });
  const intervalChoice = chooseInterval({ contract, interval: input.interval, plan, lines, isCustomer });
  if ('message' in intervalChoice) return intervalChoice;
  const offeredIntervals = listOfferedIntervals({ lines, contract });
  const changesPolicies = !arePoliciesInForce(contract, intervalChoice.policies);
  const paidUntilMs = changesPolicies ? await findPaidUntilDate(deps, state) : undefined;
  const dateMs = input.dateMs ?? paidUntilMs;
  return {
    ...intervalChoice.policies,
    plans: intervalChoice.plans,
    offered: offeredIntervals,
    plan: plan ?? undefined,
    dateMs,
    paidUntilMs,
  };
}

function findNextDateError(
  { deps, state, input }: IntervalTargetRequest,
  target: IntervalTarget,
): OperationError | undefined {
  const nowMs = deps.now();
  const cycles = listUpcomingCycles(state);
  const { billingPolicy: frequency } = target;
  const arePoliciesSame = arePoliciesInForce(state.contract, target);
  const paidUntilMs = arePoliciesSame ? 0 : lastPaidEndMs(cycles, frequency);
  const bounds = nextOrderBounds(cycles, { frequency, paidUntilMs }, nowMs);
  const refusal = input.dateMs && findDateError('nextBillingDate', input.dateMs, { nowMs, bounds });
  const dateMs = targetOrderDate(state.contract, target);
  if (refusal !== undefined || dateMs === undefined) return refusal;
  const isDateReachable = arePoliciesSame
    ? planOrderMove(dateMs, cycles) !== undefined
    : !isDateUnreachable(dateMs, { cycles, frequency, nowMs });
  if (input.dateMs === undefined) {
    return isDateReachable && !isBeyondOneYear(dateMs, nowMs)
      ? undefined
      : nextOrderTooFarError(intervalArgumentName(input), dateMs);
  }
  return isDateReachable && dateMs > paidUntilMs ? undefined : noOrderOnDateError(dateMs, bounds);
}
