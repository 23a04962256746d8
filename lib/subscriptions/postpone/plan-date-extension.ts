/**
 * Plans dates for more orders of a postponed contract, when about half of the orders with assigned dates were placed.
 */
import { floorToSecond, formatInstant } from '../../domain/instant.ts';
import { type BillingCycle, orderDueAtMs } from '../cycles/billing-cycle.ts';
import { isBeyondOneYear } from '../find-date-error.ts';
import {
  type AssignedDates,
  clampToCycle,
  isDateNearItsCycle,
  isExtensionTooLate,
  orderDateMs,
  regularOrderDateMs,
} from '../order-dates/order-dates.ts';
import type { OrderEdit } from '../order-dates/postponements.ts';
import { type CycleToDate, ORDERS_WITH_DATES, type OrderDatesRequest } from './plan-order-dates.ts';

type DateExtensionRequest<Cycle = CycleToDate> = Pick<OrderDatesRequest, 'timeZone' | 'nowMs'> & {
  /** Consecutive cycles from the current one on. */
  readonly cycles: readonly Cycle[];
  readonly assignedDates: AssignedDates;
};

type DateExtension =
  /** `edits` is empty if the orders already have these dates, or the next dates are more than a year ahead. */
  | {
      readonly kind: 'dates assigned';
      readonly assignedDates: AssignedDates;
      readonly edits: readonly OrderEdit[];
    }
  /**
   * No more dates are assigned: another app moved the orders, the cycles do not follow the interval, or the next
   * order got no date in time. That order comes at the end of its cycle, perhaps a day before the date of the order
   * after it would be.
   */
  | { readonly kind: 'ended' };

const DAY_MS = 86_400_000;

/**
 * Plans dates for the cycles after those with assigned dates, so that 12 orders have a date again. Moves no order
 * that already has a date, is skipped, was moved on its own, or has its own content.
 */
export function planDateExtension({
  cycles,
  assignedDates,
  timeZone,
  nowMs,
}: DateExtensionRequest): DateExtension {
  const upcomingCycles = cyclesFromFirstUnbilled(cycles);
  const isTooLate = isExtensionTooLate(assignedDates, timeZone, nowMs);
  if (isTooLate || areDatesReplaced({ cycles: upcomingCycles, assignedDates, timeZone }))
    return { kind: 'ended' };
  return planDatesAfter({ cycles: upcomingCycles, assignedDates, timeZone, nowMs });
}

/** Returns the cycles from the first unbilled one on, at most as many as can have dates at a time. */
function cyclesFromFirstUnbilled<Cycle extends BillingCycle>(cycles: readonly Cycle[]): readonly Cycle[] {
  const firstUnbilled = cycles.findIndex(({ status }) => status !== 'BILLED');
  return cycles.slice(Math.max(firstUnbilled, 0)).slice(0, ORDERS_WITH_DATES);
}

/**
 * Plans the dates of the cycles after `assignedDates.laidThrough`, regardless of where the orders before them are.
 */
export function planDatesAfter(request: DateExtensionRequest): DateExtension {
  const { assignedDates, timeZone } = request;
  const cyclesToExtend = listCyclesToExtend(request);
  if (cyclesToExtend === undefined) return { kind: 'ended' };
  const extendedDates = {
    ...assignedDates,
    laidThrough: cyclesToExtend.at(-1)?.cycleIndex ?? assignedDates.laidThrough,
  };
  const extensionEdits = cyclesToExtend.filter(isCycleUneditedAndUnbilled).flatMap((cycle) => {
    const atMs = regularOrderDateMs(cycle, extendedDates, timeZone);
    if (atMs === orderDueAtMs(cycle)) return [];
    const { cycleIndex, billingAttemptExpectedDate, skipped } = cycle;
    const orderBefore = { date: billingAttemptExpectedDate, skipped };
    return [
      { cycleIndex, before: orderBefore, after: { date: formatInstant(floorToSecond(atMs)), skipped } },
    ];
  });
  return { kind: 'dates assigned', assignedDates: extendedDates, edits: extensionEdits };
}

/**
 * Returns the cycles after `assignedDates.laidThrough` whose orders get dates.
 * @returns undefined when the cycles do not follow the interval, so that no order gets a date
 */
export function listCyclesToExtend<Cycle extends BillingCycle>({
  cycles,
  assignedDates,
  timeZone,
  nowMs,
}: DateExtensionRequest<Cycle>): readonly Cycle[] | undefined {
  const cyclesToExtend = cyclesFromFirstUnbilled(cycles).filter(
    (cycle) =>
      cycle.cycleIndex > assignedDates.laidThrough &&
      !isBeyondOneYear(clampToCycle(cycle, orderDateMs(assignedDates, cycle.cycleIndex, timeZone)), nowMs),
  );
  return cyclesToExtend.every((cycle) => isDateNearItsCycle(cycle, assignedDates, timeZone))
    ? cyclesToExtend
    : undefined;
}

/**
 * Whether no order still has its assigned date, so that another app must have moved them all. Clients may skip or
 * move single orders.
 */
function areDatesReplaced({ cycles, assignedDates, timeZone }: Omit<DateExtensionRequest, 'nowMs'>): boolean {
  const upcomingOrders = cycles.filter(
    ({ cycleIndex, skipped, status }) =>
      cycleIndex >= assignedDates.fromCycle &&
      cycleIndex <= assignedDates.laidThrough &&
      !skipped &&
      status !== 'BILLED',
  );
  return (
    upcomingOrders.length > 0 &&
    upcomingOrders.every(
      (cycle) => orderDueAtMs(cycle) !== regularOrderDateMs(cycle, assignedDates, timeZone),
    )
  );
}

function isCycleUneditedAndUnbilled(cycle: CycleToDate): boolean {
  const isOrderDateMoved = orderDueAtMs(cycle) !== Date.parse(cycle.cycleEndAt);
  return !cycle.skipped && !isOrderDateMoved && cycle.editedContract === null && cycle.status !== 'BILLED';
}

/**
 * Returns the date of the last order with an assigned date, ISO 8601.
 * @returns undefined when the cycle of that order is not in the list
 */
export function lastAssignedDate(
  assignedDates: AssignedDates,
  cycles: readonly CycleToDate[],
  timeZone: OrderDatesRequest['timeZone'],
): string | undefined {
  const lastDatedCycle = cycles.find(({ cycleIndex }) => cycleIndex === assignedDates.laidThrough);
  return (
    lastDatedCycle &&
    formatInstant(floorToSecond(regularOrderDateMs(lastDatedCycle, assignedDates, timeZone)))
  );
}

/**
 * Returns when more dates have to be assigned, in epoch milliseconds: a day after the middle one of the orders with
 * assigned dates. `firstCycle` is the index of the first of these orders that is not placed.
 */
export function extensionDueAtMs(
  assignedDates: AssignedDates,
  firstCycle: number,
  timeZone: OrderDatesRequest['timeZone'],
): number {
  const middleCycle = Math.floor(
    (Math.max(firstCycle, assignedDates.fromCycle) + assignedDates.laidThrough) / 2,
  );
  return orderDateMs(assignedDates, middleCycle, timeZone) + DAY_MS;
}
