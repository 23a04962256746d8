/**
 * A date that a client requests: an instant, or a day in the store's time zone. A day is converted to an instant when
 * the order is known: to the time of day of that order, limited to the possible dates.
 */
import { floorToSecond, type Instant, parseInstant } from '../domain/instant.ts';
import { isIsoDay, isoDayIn, localTimeIn, localTimeToEpochMs, type TimeZone } from '../domain/time-zone.ts';

export type RequestedDate = { readonly day: string } | { readonly atMs: Instant };

/**
 * Parses a client's argument with `@day` in the schema.
 * @returns undefined when the argument is left out
 */
export function parseRequestedDate(value: unknown): RequestedDate | undefined {
  if (typeof value === 'string' && isIsoDay(value)) return { day: value };
  const atMs = parseInstant(value);
  return atMs === undefined ? undefined : { atMs };
}

/** The minimum distance of an offered date from now. A nearer date could pass while a person is still choosing it. */
const MIN_NOTICE_MS = 5 * 60_000;

/** Returns the first date that the service offers: five minutes from now, in whole seconds. Epoch milliseconds. */
export function earliestOfferedDate(nowMs: number): Instant {
  return floorToSecond(nowMs + MIN_NOTICE_MS + 999);
}

/**
 * The first and the last possible date, in epoch milliseconds. No date is possible when `firstMs` is after `lastMs`.
 */
export type DateBounds = { readonly firstMs: number; readonly lastMs: number };

type DayContext = {
  readonly timeZone: TimeZone;
  /** An instant whose time of day in the store's time zone is that of the order. Epoch milliseconds. */
  readonly orderInstantMs: number;
  readonly bounds: DateBounds;
};

/**
 * Returns the instant of a requested date. A day becomes the order's time on that day, moved into the bounds if they
 * include a part of the day. If they do not, the order's time is returned unlimited, and the checks of the date
 * refuse it.
 */
export function resolveRequestedInstant(
  date: RequestedDate,
  { timeZone, orderInstantMs, bounds }: DayContext,
): Instant {
  if ('atMs' in date) return date.atMs;
  const { secondOfDay } = localTimeIn(timeZone, orderInstantMs);
  const dayAtOrderTimeMs = localTimeToEpochMs(timeZone, { day: date.day, secondOfDay });
  return floorToSecond(
    boundsIncludeDay(timeZone, bounds, date.day) ? clampToBounds(dayAtOrderTimeMs, bounds) : dayAtOrderTimeMs,
  );
}

/** Whether a part of the day lies within the bounds. */
export function boundsIncludeDay(timeZone: TimeZone, { firstMs, lastMs }: DateBounds, day: string): boolean {
  return firstMs <= lastMs && isoDayIn(timeZone, firstMs) <= day && day <= isoDayIn(timeZone, lastMs);
}

/**
 * Whether an order's date is in the future and already on the requested day, so that the request changes nothing.
 * Always false for a requested instant.
 */
export function isUpcomingOnDay(
  date: RequestedDate,
  { timeZone, nowMs }: DayComparisonContext,
  atMs: number,
): boolean {
  return 'day' in date && atMs > nowMs && isoDayIn(timeZone, atMs) === date.day;
}

type DayComparisonContext = { readonly timeZone: TimeZone; readonly nowMs: number };

/**
 * Returns the first and the last instant of the requested day, or twice the requested instant. Epoch milliseconds.
 */
export function requestedTimeSpan(date: RequestedDate, timeZone: TimeZone): DateBounds {
  if ('atMs' in date) return { firstMs: date.atMs, lastMs: date.atMs };
  const epochMsAt = (secondOfDay: number) => localTimeToEpochMs(timeZone, { day: date.day, secondOfDay });
  return { firstMs: epochMsAt(0), lastMs: epochMsAt(LAST_SECOND_OF_DAY) };
}

const LAST_SECOND_OF_DAY = 86_399;

function clampToBounds(atMs: number, { firstMs, lastMs }: DateBounds): number {
  return Math.min(Math.max(atMs, firstMs), lastMs);
}
