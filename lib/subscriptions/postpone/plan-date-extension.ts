/** Plans further dates of a postponed contract, when about half of the orders that have dates were placed. */
import { floorToSecond, formatInstant } from '../../domain/instant.ts';
import { orderDueAtMs } from '../cycles/billing-cycle.ts';
import { type AssignedDates, orderDateMs, regularOrderDateMs } from '../order-dates/order-dates.ts';
import type { OrderEdit } from '../order-dates/postponements.ts';
import { isBeyondOneYear } from '../refuse-date.ts';
import {
  type CycleToDate,
  isDateNearItsCycle,
  ORDERS_WITH_DATES,
  type OrderDatesRequest,
} from './plan-order-dates.ts';

type ExtendRequest = Pick<OrderDatesRequest, 'timeZone' | 'nowMs'> & {
  /** Consecutive cycles from the current one on. */
  readonly cycles: readonly CycleToDate[];
  readonly laid: AssignedDates;
};

type Extension =
  /** `edits` is empty if all orders have their dates already, or the next dates are more than a year ahead. */
  | { readonly kind: 'laid'; readonly laid: AssignedDates; readonly edits: readonly OrderEdit[] }
  /** Another app moved the orders, or the cycles do not follow the interval: the dates end. */
  | { readonly kind: 'ended' };

const DAY_MS = 86_400_000;

/**
 * Plans the dates of the cycles after those that have one, so that 12 orders have a date again. It moves no order that
 * has one, and no order that is skipped, was moved by itself, or has a content of its own.
 */
export function planDateExtension({ cycles, laid, timeZone, nowMs }: ExtendRequest): Extension {
  const ahead = unbilled(cycles);
  if (isReplaced({ cycles: ahead, laid, timeZone })) return { kind: 'ended' };
  return planDatesAfter({ cycles: ahead, laid, timeZone, nowMs });
}

/** Returns the cycles of the orders that can have dates at a time. */
function unbilled(cycles: readonly CycleToDate[]): readonly CycleToDate[] {
  const first = cycles.findIndex(({ status }) => status !== 'BILLED');
  return cycles.slice(Math.max(first, 0)).slice(0, ORDERS_WITH_DATES);
}

/** Plans the dates of the cycles after `laid.laidThrough`, wherever the orders before them are. */
export function planDatesAfter({ cycles, laid, timeZone, nowMs }: ExtendRequest): Extension {
  const next = unbilled(cycles).filter(
    ({ cycleIndex }) =>
      cycleIndex > laid.laidThrough && !isBeyondOneYear(orderDateMs(laid, cycleIndex, timeZone), nowMs),
  );
  if (next.some((cycle) => !isDateNearItsCycle({ dates: laid, timeZone }, cycle))) return { kind: 'ended' };
  const extended = { ...laid, laidThrough: next.at(-1)?.cycleIndex ?? laid.laidThrough };
  const edits = next.filter(isUnedited).flatMap((cycle) => {
    const atMs = regularOrderDateMs(cycle, extended, timeZone);
    if (atMs === orderDueAtMs(cycle)) return [];
    const { cycleIndex, billingAttemptExpectedDate, skipped } = cycle;
    const before = { date: billingAttemptExpectedDate, skipped };
    return [{ cycleIndex, before, after: { date: formatInstant(floorToSecond(atMs)), skipped } }];
  });
  return { kind: 'laid', laid: extended, edits };
}

/** Whether no order is where it was laid. Single orders may be skipped, or moved by themselves. */
function isReplaced({ cycles, laid, timeZone }: Omit<ExtendRequest, 'nowMs'>): boolean {
  const coming = cycles.filter(
    ({ cycleIndex, skipped, status }) =>
      cycleIndex >= laid.fromCycle && cycleIndex <= laid.laidThrough && !skipped && status !== 'BILLED',
  );
  return (
    coming.length > 0 &&
    coming.every((cycle) => orderDueAtMs(cycle) !== regularOrderDateMs(cycle, laid, timeZone))
  );
}

function isUnedited(cycle: CycleToDate): boolean {
  const isMoved = orderDueAtMs(cycle) !== Date.parse(cycle.cycleEndAt);
  return !cycle.skipped && !isMoved && cycle.editedContract === null && cycle.status !== 'BILLED';
}

/**
 * Returns the date of the last order that has one, ISO 8601.
 * @returns undefined when its cycle is not among these
 */
export function lastAssignedDate(
  laid: AssignedDates,
  cycles: readonly CycleToDate[],
  timeZone: OrderDatesRequest['timeZone'],
): string | undefined {
  const last = cycles.find(({ cycleIndex }) => cycleIndex === laid.laidThrough);
  return last && formatInstant(floorToSecond(regularOrderDateMs(last, laid, timeZone)));
}

/**
 * Returns when the dates are extended, in epoch milliseconds: a day after the middle one of the orders that have a
 * date. `firstCycle`: the index of the first of them that is not placed.
 */
export function extensionDueAtMs(
  laid: AssignedDates,
  firstCycle: number,
  timeZone: OrderDatesRequest['timeZone'],
): number {
  const middle = Math.floor((Math.max(firstCycle, laid.fromCycle) + laid.laidThrough) / 2);
  return orderDateMs(laid, middle, timeZone) + DAY_MS;
}
