/**
 * The dates that a postponement gives the orders of a contract: the order of the first dated cycle is on a chosen
 * day, and each following order is one interval later. They are calendar dates in the store's time zone, all at the
 * same time of day.
 */
import { isoDayIn, localTimeToEpochMs, type TimeZone } from '../../domain/time-zone.ts';
import type { Frequency } from '../selling-plans/frequency.ts';

export type OrderDates = Frequency & {
  /** The index of the first cycle whose order has such a date. */
  readonly fromCycle: number;
  /** The day of the order of that cycle, such as `2026-12-16`. */
  readonly day: string;
  /** The time of day of all orders, in seconds after 00:00. */
  readonly secondOfDay: number;
};

/** The dates, and the index of the last cycle whose order has been given its date (`laidThrough`). */
export type AssignedDates = OrderDates & { readonly laidThrough: number };

type CycleBounds = { readonly cycleStartAt: string; readonly cycleEndAt: string };
type IndexedCycleBounds = CycleBounds & { readonly cycleIndex: number };

/**
 * The maximum distance of a date from its cycle: the end of a month, or a change of daylight saving time, moves a date
 * at most 25 hours out of the cycle.
 */
const MAX_DATE_SHIFT_MS = 48 * 3_600_000;

/** Whether the date that `dates` give the cycle's order is in that cycle, or near it. */
export function isDateNearItsCycle(
  cycle: IndexedCycleBounds,
  dates: OrderDates,
  timeZone: TimeZone,
): boolean {
  const atMs = orderDateMs(dates, cycle.cycleIndex, timeZone);
  return Math.abs(clampToCycle(cycle, atMs) - atMs) <= MAX_DATE_SHIFT_MS;
}

/** Returns the regular date of a cycle's order in epoch milliseconds: its own date, or the end of its cycle. */
export function regularOrderDateMs(
  cycle: IndexedCycleBounds,
  assignedDates: AssignedDates | undefined,
  timeZone: TimeZone,
): number {
  const { cycleIndex, cycleEndAt } = cycle;
  const hasAssignedDate =
    assignedDates !== undefined &&
    cycleIndex >= assignedDates.fromCycle &&
    cycleIndex <= assignedDates.laidThrough;
  return hasAssignedDate
    ? clampToCycle(cycle, orderDateMs(assignedDates, cycleIndex, timeZone))
    : Date.parse(cycleEndAt);
}

/** Returns the instant inside the cycle that is nearest to `atMs`. Epoch milliseconds. */
export function clampToCycle({ cycleStartAt, cycleEndAt }: CycleBounds, atMs: number): number {
  return Math.min(Math.max(atMs, Date.parse(cycleStartAt)), Date.parse(cycleEndAt));
}

/**
 * Returns when an order comes that is moved to the date on its own, in epoch milliseconds. An order at the end of its cycle counts
 * as not moved, so that it would get its regular date again: it comes a second earlier.
 */
export function individualOrderDateMs(cycle: CycleBounds, dateMs: number, regularMs: number): number {
  return dateMs === Date.parse(cycle.cycleEndAt) && dateMs !== regularMs ? dateMs - 1_000 : dateMs;
}

/** Whether both instants, in epoch milliseconds, are on one day in the time zone. */
export function isOnSameDay(timeZone: TimeZone, one: number, other: number): boolean {
  return isoDayIn(timeZone, one) === isoDayIn(timeZone, other);
}

/**
 * Returns the date that `dates` give the order of a cycle, in epoch milliseconds, even if it is outside the cycle.
 */
export function orderDateMs(dates: OrderDates, cycleIndex: number, timeZone: TimeZone): number {
  const { fromCycle, day, secondOfDay } = dates;
  return localTimeToEpochMs(timeZone, {
    day: addIntervalsToDay(day, dates, cycleIndex - fromCycle),
    secondOfDay,
  });
}

/** Whether the first order that has no assigned date was due by now, so that it is too late to assign more dates. */
export function isExtensionTooLate(assignedDates: AssignedDates, timeZone: TimeZone, nowMs: number): boolean {
  return orderDateMs(assignedDates, assignedDates.laidThrough + 1, timeZone) <= nowMs;
}

const DAYS_BY_INTERVAL: Readonly<Record<string, number>> = { DAY: 1, WEEK: 7 };
const DAY_MS = 86_400_000;

/**
 * Returns the day that is `count` intervals later. Months and years keep the day of the month, or have the last day of
 * a shorter month.
 */
function addIntervalsToDay(day: string, { interval, intervalCount }: Frequency, count: number): string {
  const startDate = new Date(day);
  const days = DAYS_BY_INTERVAL[interval];
  if (days !== undefined) return isoDayText(startDate.getTime() + count * intervalCount * days * DAY_MS);
  const monthIndex = startDate.getUTCMonth() + count * intervalCount * (interval === 'YEAR' ? 12 : 1);
  const lastDay = new Date(Date.UTC(startDate.getUTCFullYear(), monthIndex + 1, 0)).getUTCDate();
  return isoDayText(
    Date.UTC(startDate.getUTCFullYear(), monthIndex, Math.min(startDate.getUTCDate(), lastDay)),
  );
}

function isoDayText(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
