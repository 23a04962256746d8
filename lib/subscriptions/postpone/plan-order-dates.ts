/**
 * Plans the dates of a contract's next orders: each order is one interval after the order before it. The cycles are
 * read from the platform, never computed. An order must stay inside its cycle. So an order whose date would be after
 * the end of its cycle moves to the next cycle, and each following order moves by one cycle, too.
 */
import { floorToSecond, formatInstant } from '../../domain/instant.ts';
import type { TimeZone } from '../../domain/time-zone.ts';
import { type BillingCycle, orderDueAtMs } from '../cycles/billing-cycle.ts';
import type { ScheduleEdit } from '../cycles/plan-restored-edits.ts';
import { isBeyondOneYear } from '../find-date-error.ts';
import {
  type AssignedDates,
  clampToCycle,
  individualOrderDateMs,
  isDateNearItsCycle,
  isOnSameDay,
  type OrderDates,
  orderDateMs,
  regularOrderDateMs,
} from '../order-dates/order-dates.ts';

/** The cycle of an order that can get another date. */
export type CycleToDate = BillingCycle & {
  /** Set if the order has its own edited content. */
  readonly editedContract: object | null;
};

export type OrderDatesRequest = {
  /** Consecutive cycles, starting with the cycle of the next order before the change. */
  readonly cycles: readonly CycleToDate[];
  /** Whether the list ends with the contract's last cycle. */
  readonly areAllCycles: boolean;
  /** The dates that earlier postponements assigned. Undefined if the orders are due at the ends of their cycles. */
  readonly former: AssignedDates | undefined;
  /** The new dates. The first one is for the order of the first or the second of the cycles. */
  readonly dates: OrderDates;
  readonly timeZone: TimeZone;
  readonly nowMs: number;
};

export type OrderDatesPlan = {
  readonly kind: 'dates assigned';
  /**
   * The dates that the orders get. Undefined if the orders are due at the ends of their cycles, so that no record is
   * needed.
   */
  readonly assignedDates: AssignedDates | undefined;
  /**
   * The cycle that is skipped because its order comes in the next cycle. This skip is sent before the other edits.
   */
  readonly skipped: CycleToDate | undefined;
  /** The edits except that skip, those of the earliest cycles first. */
  readonly edits: readonly ScheduleEdit[];
};

/**
 * The reason why no order gets a date: `refused` with the cycle that causes the refusal, or `more cycles` when too
 * few cycles were read.
 */
export type OrderDatesRefusal =
  | {
      readonly kind: 'refused';
      readonly code: 'HAS_FUTURE_EDITS' | 'CYCLES_IRREGULAR';
      readonly cycle: CycleToDate;
    }
  | { readonly kind: 'more cycles' };

/** How many orders get dates at a time. */
export const ORDERS_WITH_DATES = 12;

/** A client's edit of a single order: the order is skipped, or moved from its regular date by this distance. */
type IndividualEdit =
  | { readonly isSkipped: true }
  | { readonly isSkipped: false; readonly distanceMs: number };
type PlannedOrder = {
  readonly cycle: CycleToDate;
  readonly regularMs: number;
  readonly individualEdit: IndividualEdit | undefined;
};

/**
 * Plans the edits that move the orders to these dates. An order that is skipped stays skipped, and an order that was
 * moved on its own keeps its distance from its regular date, except the first order.
 */
export function planOrderDates(request: OrderDatesRequest): OrderDatesPlan | OrderDatesRefusal {
  const { cycles, dates, areAllCycles, timeZone } = request;
  const [firstCycle] = cycles;
  const firstDatedIndex = cycles.findIndex(({ cycleIndex }) => cycleIndex === dates.fromCycle);
  if (firstCycle === undefined || firstDatedIndex < 0 || firstDatedIndex > 1)
    throw new Error('the dates begin with another cycle');
  const datedCycles = cyclesToDate(request, cycles.slice(firstDatedIndex));
  const datedCount = countOrdersToDate(request, cycles.slice(firstDatedIndex));
  const isCutOff = datedCycles.length < datedCount && datedCycles.length === cycles.length - firstDatedIndex;
  if (isCutOff && !areAllCycles) return { kind: 'more cycles' };
  const irregularCycle = datedCycles.find((cycle) => !isDateNearItsCycle(cycle, dates, timeZone));
  if (irregularCycle !== undefined)
    return { kind: 'refused', code: 'CYCLES_IRREGULAR', cycle: irregularCycle };
  const displacedOrders = firstDatedIndex === 0 ? [] : listDisplacedOrders(request, datedCycles.length);
  if ('kind' in displacedOrders) return displacedOrders;
  const affectedCycles =
    firstDatedIndex === 0
      ? []
      : cycles.slice(0, firstDatedIndex + datedCycles.length + displacedOrders.length);
  const withContent = affectedCycles.find(({ editedContract }) => editedContract !== null);
  if (withContent !== undefined) return { kind: 'refused', code: 'HAS_FUTURE_EDITS', cycle: withContent };
  const orders = [...listDatedOrders(request, datedCycles), ...displacedOrders];
  return {
    kind: 'dates assigned',
    assignedDates: assignedDatesOf(request, datedCycles),
    skipped: firstDatedIndex === 0 ? undefined : firstCycle,
    edits: orders.flatMap(scheduleEditsOf),
  };
}

/**
 * Returns the cycles whose orders get a date: 12 of them, at most a year ahead, but at least all cycles whose orders
 * had a date before.
 */
function cyclesToDate(request: OrderDatesRequest, cycles: readonly CycleToDate[]) {
  const { dates, former, timeZone, nowMs } = request;
  const candidateCycles = cycles.slice(0, countOrdersToDate(request, cycles));
  const isTooFar = (cycle: CycleToDate) =>
    isBeyondOneYear(clampToCycle(cycle, orderDateMs(dates, cycle.cycleIndex, timeZone)), nowMs) &&
    cycle.cycleIndex > Math.max(dates.fromCycle, former?.laidThrough ?? 0);
  const firstTooFarPosition = candidateCycles.findIndex(isTooFar);
  return firstTooFarPosition < 0 ? candidateCycles : candidateCycles.slice(0, firstTooFarPosition);
}

/**
 * Returns how many orders get a date: 12, or more if more orders had a date before, because such a date that stayed
 * would count as a client's move of that order.
 */
function countOrdersToDate({ former }: OrderDatesRequest, [first]: readonly CycleToDate[]): number {
  const datedCount =
    former === undefined || first === undefined ? 0 : former.laidThrough + 1 - first.cycleIndex;
  return Math.max(ORDERS_WITH_DATES, datedCount);
}

/**
 * Returns the dates to store, with the last cycle whose order gets one.
 * @returns undefined when all cycles, also those that get no date yet, end on these days anyway, so that no record is
 * needed
 */
function assignedDatesOf(
  { cycles, dates, timeZone }: OrderDatesRequest,
  datedCycles: readonly CycleToDate[],
): AssignedDates | undefined {
  const areCycleEnds = cycles.every(
    ({ cycleIndex, cycleEndAt }) =>
      cycleIndex < dates.fromCycle ||
      isOnSameDay(timeZone, orderDateMs(dates, cycleIndex, timeZone), Date.parse(cycleEndAt)),
  );
  const laidThrough = datedCycles.at(-1)?.cycleIndex ?? dates.fromCycle;
  return areCycleEnds ? undefined : { ...dates, laidThrough };
}

/** Returns the orders that get dates, each with its new cycle. */
function listDatedOrders(request: OrderDatesRequest, datedCycles: readonly CycleToDate[]): PlannedOrder[] {
  const assignedDates = assignedDatesOf(request, datedCycles);
  return datedCycles.map((cycle, index) => ({
    cycle,
    regularMs: regularOrderDateMs(cycle, assignedDates, request.timeZone),
    individualEdit: index === 0 ? undefined : findIndividualEdit(request, request.cycles[index]),
  }));
}

/**
 * Returns the orders that move to the next cycle but get no assigned date, because the order before them moves its
 * skip or move on: from the last order that gets a date to the first order without an edit of its own.
 */
function listDisplacedOrders(
  request: OrderDatesRequest,
  datedCount: number,
): PlannedOrder[] | OrderDatesRefusal {
  const { cycles, areAllCycles, former, timeZone, nowMs } = request;
  const orders: PlannedOrder[] = [];
  for (const [index, cycle] of cycles.slice(datedCount).entries()) {
    const individualEdit = findIndividualEdit(request, cycle);
    if (individualEdit === undefined) return orders;
    const nextCycle = cycles[datedCount + index + 1];
    if (nextCycle === undefined && !areAllCycles) return { kind: 'more cycles' };
    // There is no further cycle that can be edited, so the order's skip or move would be lost.
    if (nextCycle === undefined || isBeyondOneYear(Date.parse(nextCycle.cycleStartAt), nowMs)) {
      return { kind: 'refused', code: 'HAS_FUTURE_EDITS', cycle };
    }
    orders.push({
      cycle: nextCycle,
      regularMs: regularOrderDateMs(nextCycle, former, timeZone),
      individualEdit,
    });
  }
  return orders;
}

/**
 * Returns the client's edit of a single order.
 * @returns undefined when the order is on its regular date and not skipped
 */
function findIndividualEdit(
  { former, timeZone }: OrderDatesRequest,
  cycle: CycleToDate | undefined,
): IndividualEdit | undefined {
  if (cycle === undefined || cycle.status === 'BILLED') return undefined;
  if (cycle.skipped) return { isSkipped: true };
  const distanceMs = orderDueAtMs(cycle) - regularOrderDateMs(cycle, former, timeZone);
  return distanceMs === 0 ? undefined : { isSkipped: false, distanceMs };
}

/** Returns the schedule edits of the order. Empty if the cycle is already in that state. */
function scheduleEditsOf({ cycle, regularMs, individualEdit }: PlannedOrder): ScheduleEdit[] {
  const { cycleIndex, skipped } = cycle;
  if (cycle.status === 'BILLED') return [];
  if (individualEdit?.isSkipped) return skipped ? [] : [{ cycleIndex, skip: true }];
  const atMs =
    individualEdit === undefined
      ? clampToCycle(cycle, regularMs)
      : individualOrderDateMs(cycle, clampToCycle(cycle, regularMs + individualEdit.distanceMs), regularMs);
  if (!skipped && orderDueAtMs(cycle) === atMs) return [];
  return [{ cycleIndex, ...(skipped && { skip: false }), billingDate: formatInstant(floorToSecond(atMs)) }];
}
