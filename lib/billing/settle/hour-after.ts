/** The times of retries: a number of the store's days later, at the hour in which its runs begin. */
import { isoDayIn, localTimeToEpochMs, type TimeZone } from '../../domain/time-zone.ts';

const DAY_MS = 86_400_000;
const HOUR_SECONDS = 3600;

/** The store's clock, and the hour of its runs, 0 to 23. */
export type StoreHour = { readonly timeZone: TimeZone; readonly hour: number };

/**
 * Returns the store's hour of the day that is so many days after the day of `atMs` (epoch milliseconds). An hour that
 * comes twice is the first; for one that the day does not have, this is when the clocks are put forward.
 */
export function hourAfter({ timeZone, hour }: StoreHour, atMs: number, days: number): number {
  const today = isoDayIn(timeZone, atMs);
  const day = new Date(Date.parse(today) + days * DAY_MS).toISOString().slice(0, 10);
  return localTimeToEpochMs(timeZone, { day, secondOfDay: hour * HOUR_SECONDS });
}
