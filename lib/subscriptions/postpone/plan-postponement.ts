/** Plans a postponement: finds the new date of the next order, and the dates of the orders after it. */
import { floorToSecond, formatInstant } from '../../domain/instant.ts';
import { isoDayIn, localTimeIn, localTimeToEpochMs } from '../../domain/time-zone.ts';
import { orderDueAtMs } from '../cycles/billing-cycle.ts';
import type { ScheduleEdit } from '../cycles/plan-restored-edits.ts';
import { oneYearDateBounds } from '../find-date-error.ts';
import { regularOrderDateMs } from '../order-dates/order-dates.ts';
import type { CycleWithoutOrder, OrderEdit } from '../order-dates/postponements.ts';
import type { Frequency } from '../selling-plans/frequency.ts';
import {
  type CycleToDate,
  type OrderDatesPlan,
  type OrderDatesRefusal,
  type OrderDatesRequest,
  planOrderDates,
} from './plan-order-dates.ts';

export type PostponementRequest = Omit<OrderDatesRequest, 'dates'> & {
  /** The day to which the next order is postponed, as `2026-12-16`. */
  readonly to: string;
  readonly frequency: Frequency;
  /** The skipped cycles without an order: their orders were postponed or sent now. */
  readonly cyclesWithoutOrder: readonly CycleWithoutOrder[];
};

export type Postponement =
  | OrderDatesPlan
  /**
   * The next order had been moved to an earlier date on its own, and only that move is reduced or undone. The
   * following orders stay.
   */
  | { readonly kind: 'moved'; readonly edit: ScheduleEdit }
  /** The possible dates, epoch milliseconds. No day is possible if `latestMs` is before `earliestMs`. */
  | { readonly kind: 'out of bounds'; readonly earliestMs: number; readonly latestMs: number }
  | OrderDatesRefusal;

/** Plans the postponement of the order of the first cycle. The order is not skipped and not billed. */
export function planPostponement(request: PostponementRequest): Postponement {
  const { cycles, areAllCycles, former, timeZone, to, frequency, nowMs } = request;
  const [next, following] = cycles;
  if (next === undefined) throw new Error('no order can be postponed');
  if (following === undefined && !areAllCycles) return { kind: 'more cycles' };
  const regularMs = regularDateOfNext(request, next);
  const { secondOfDay } = localTimeIn(timeZone, regularMs);
  const onDay = (day: string) => localTimeToEpochMs(timeZone, { day, secondOfDay });
  const boundMs =
    following === undefined || hasSkipOfNoOrder(request, regularMs)
      ? Date.parse(next.cycleEndAt)
      : regularOrderDateMs(following, former, timeZone);
  const latestDay = isoDayIn(timeZone, Math.min(boundMs, oneYearDateBounds(nowMs).lastMs));
  const earliestDay = isoDayAfter(isoDayIn(timeZone, orderDueAtMs(next)));
  if (to < earliestDay || to > latestDay) {
    return { kind: 'out of bounds', earliestMs: onDay(earliestDay), latestMs: onDay(latestDay) };
  }
  const dateMs = onDay(to);
  if (dateMs <= regularMs) return { kind: 'moved', edit: toMoveEdit(next, dateMs) };
  const isInsideCycle = to <= isoDayIn(timeZone, Date.parse(next.cycleEndAt));
  const fromCycle = isInsideCycle ? next.cycleIndex : next.cycleIndex + 1;
  return planOrderDates({ ...request, dates: { ...frequency, fromCycle, day: to, secondOfDay } });
}

/**
 * Returns the regular date of the next order. An order that was sent now has the date on which it was to come, as
 * long as its original cycle is still skipped.
 */
function regularDateOfNext(
  { cycles, cyclesWithoutOrder, former, timeZone }: PostponementRequest,
  next: CycleToDate,
): number {
  const sent = cyclesWithoutOrder.find(({ sentIn }) => sentIn === next.cycleIndex);
  const isEmpty = cycles.some(({ cycleIndex, skipped }) => skipped && cycleIndex === sent?.cycleIndex);
  return sent !== undefined && isEmpty ? Date.parse(sent.date) : regularOrderDateMs(next, former, timeZone);
}

/**
 * Whether the skip of a later cycle may belong to no order: an earlier postponement skipped that cycle, or the next
 * order was sent now and its original cycle was skipped. Such a skip must not move to another order.
 */
function hasSkipOfNoOrder({ cycles, cyclesWithoutOrder }: PostponementRequest, regularMs: number): boolean {
  const isEmpty = ({ cycleIndex }: CycleToDate) =>
    cyclesWithoutOrder.some((one) => one.cycleIndex === cycleIndex);
  const [next, ...later] = cycles;
  const isPerhapsSentNow = next !== undefined && (isEmpty(next) || orderDueAtMs(next) < regularMs);
  return later.some((cycle, index) => cycle.skipped && ((index === 0 && isPerhapsSentNow) || isEmpty(cycle)));
}

function toMoveEdit({ cycleIndex }: CycleToDate, dateMs: number): ScheduleEdit {
  return { cycleIndex, billingDate: formatInstant(floorToSecond(dateMs)) };
}

function isoDayAfter(day: string): string {
  return new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
}

/** Whether the order of this cycle is the first one that the plan gives a date. */
export function isFirstOrderWithDate(
  { assignedDates, skipped, edits }: OrderDatesPlan,
  { cycleIndex }: CycleToDate,
): boolean {
  const firstCycle =
    assignedDates?.fromCycle ?? (skipped === undefined ? edits[0]?.cycleIndex : skipped.cycleIndex + 1);
  return cycleIndex === firstCycle;
}

type PlannedOrder = {
  readonly cycles: readonly CycleToDate[];
  /** The cycle of the order that is postponed. */
  readonly postponedCycle: CycleToDate;
  readonly plan: Extract<Postponement, { readonly kind: 'dates assigned' | 'moved' }>;
};

/**
 * Returns the date that the postponed order gets, ISO 8601. After a postponement by a whole interval it is the
 * present date of the following cycle, which needs no edit.
 */
export function dateAfterPostponement(
  { cycles, postponedCycle, plan }: PlannedOrder,
  edits: readonly OrderEdit[],
): string {
  const firstCycle =
    plan.kind === 'dates assigned'
      ? cycles.find((cycle) => isFirstOrderWithDate(plan, cycle))
      : postponedCycle;
  const edit = edits.find(({ cycleIndex }) => cycleIndex === firstCycle?.cycleIndex);
  return edit?.after.date ?? (firstCycle ?? postponedCycle).billingAttemptExpectedDate;
}
