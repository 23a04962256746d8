/**
 * A date as a client requests it: an instant, or a day of the store's time zone. A day becomes an instant when the order is
 * known: that day at the order's own time, limited to what is possible.
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

/** A date that is nearer would have passed when a person who reads it has chosen it. */
const MIN_NOTICE_MS = 5 * 60_000;

/** Returns the first date that the service offers: five minutes from now, in whole seconds. Epoch milliseconds. */
export function earliestOfferedDate(nowMs: number): Instant {
  return floorToSecond(nowMs + MIN_NOTICE_MS + 999);
}

/** The dates that can be set. There is none when `firstMs` is after `lastMs`. Epoch milliseconds. */
export type DateBounds = { readonly firstMs: number; readonly lastMs: number };

type DayContext = {
  readonly timeZone: TimeZone;
  /** Any instant with the order's time of day, epoch milliseconds. */
  readonly ownTimeMs: number;
  readonly bounds: DateBounds;
};

/**
 * Returns the instant of a requested date. A day is limited to the bounds if they include a part of it; another day is
 * returned at the order's time, so that the checks of the date refuse it.
 */
export function resolveRequestedInstant(
  date: RequestedDate,
  { timeZone, ownTimeMs, bounds }: DayContext,
): Instant {
  if ('atMs' in date) return date.atMs;
  const { secondOfDay } = localTimeIn(timeZone, ownTimeMs);
  const exactMs = localTimeToEpochMs(timeZone, { day: date.day, secondOfDay });
  return floorToSecond(
    boundsIncludeDay(timeZone, bounds, date.day) ? clampToBounds(exactMs, bounds) : exactMs,
  );
}

/** Whether a part of the day lies within the bounds. */
export function boundsIncludeDay(timeZone: TimeZone, { firstMs, lastMs }: DateBounds, day: string): boolean {
  return firstMs <= lastMs && isoDayIn(timeZone, firstMs) <= day && day <= isoDayIn(timeZone, lastMs);
}

/** Whether an instant is ahead and on the requested day, so that a retry of the request changes nothing. */
export function isUpcomingOnDay(
  date: RequestedDate,
  { timeZone, nowMs }: DayToCompare,
  atMs: number,
): boolean {
  return 'day' in date && atMs > nowMs && isoDayIn(timeZone, atMs) === date.day;
}

type DayToCompare = { readonly timeZone: TimeZone; readonly nowMs: number };

/** Returns the beginning and the end of the requested time. Epoch milliseconds. */
export function requestedTimeSpan(date: RequestedDate, timeZone: TimeZone): DateBounds {
  if ('atMs' in date) return { firstMs: date.atMs, lastMs: date.atMs };
  const epochMsAt = (secondOfDay: number) => localTimeToEpochMs(timeZone, { day: date.day, secondOfDay });
  return { firstMs: epochMsAt(0), lastMs: epochMsAt(LAST_SECOND_OF_DAY) };
}

const LAST_SECOND_OF_DAY = 86_399;

function clampToBounds(atMs: number, { firstMs, lastMs }: DateBounds): number {
  return Math.min(Math.max(atMs, firstMs), lastMs);
}
