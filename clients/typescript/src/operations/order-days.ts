/** The days to which an order can be moved or postponed, for a date field. */
import type { BillingCycle } from './generated/shared/types.ts';

/** Days in the store's time zone, such as `2026-12-16`: as `<input type="date">` has them, and as changes take them. */
export interface DayRange {
  /** The first day. If it is later than `max`, there is none. */
  readonly min: string;
  /** The last day; absent if it is unknown. */
  readonly max?: string;
}

const DAY_MS = 86_400_000;

/**
 * Returns the days to which `reschedule` can move an order: from the day after the previous order, or from tomorrow, to the
 * end of its cycle. `timeZone` is `storeTimeZone` of the subscription.
 */
export function daysOfMove(
  { cycleStartAt, cycleEndAt }: Pick<BillingCycle, 'cycleStartAt' | 'cycleEndAt'>,
  timeZone: string,
): Required<DayRange> {
  const startMs = Math.max(Date.parse(cycleStartAt), Date.now());
  return { min: dayAfter(startMs, timeZone), max: dayOf(cycleEndAt, timeZone) };
}

/**
 * Returns the days to which `postpone` can take the next order: from the day after its own, or from tomorrow, to the day of
 * the order after it. `order` and `following` are these two of `upcoming`. An order that may have been sent now, because
 * the following one is skipped or postponed, stays in its cycle.
 */
export function daysOfPostponement(
  { billingAttemptExpectedDate, cycleEndAt }: Pick<BillingCycle, 'billingAttemptExpectedDate' | 'cycleEndAt'>,
  following: Pick<BillingCycle, 'orderDate' | 'skipped'> | undefined,
  timeZone: string,
): DayRange {
  const min = dayAfter(Math.max(Date.parse(billingAttemptExpectedDate), Date.now()), timeZone);
  if (!following) return { min };
  const { orderDate, skipped } = following;
  const mustStayInCycle =
    !orderDate || (skipped && Date.parse(billingAttemptExpectedDate) < Date.parse(cycleEndAt));
  return { min, max: dayOf(mustStayInCycle ? cycleEndAt : orderDate, timeZone) };
}

/** Sweden writes days as ISO 8601 does. */
const dayOf = (time: string | number, timeZone: string) =>
  new Date(time).toLocaleDateString('sv', { timeZone });

/** Adds to the calendar day, not to the time: days on which the clocks change have 23 or 25 hours. */
const dayAfter = (timeMs: number, timeZone: string) =>
  new Date(Date.parse(dayOf(timeMs, timeZone)) + DAY_MS).toISOString().slice(0, 10);
