/** Time zones by their IANA names, and the days in them. */
import type { Brand } from './brand.ts';

/** A zone that this runtime knows, for example `America/New_York`. */
export type TimeZone = Brand<string, 'TimeZone'>;

/** The zone of days if a store's zone is unknown. */
export const UTC = 'UTC' as TimeZone;

const MAX_LENGTH = 64;
const NAME = /^[A-Za-z][A-Za-z0-9_+/-]*$/;

/**
 * Parses a zone's name. An offset is not accepted.
 * @returns undefined when this runtime does not know the zone
 */
export function parseTimeZone(name: unknown): TimeZone | undefined {
  if (typeof name !== 'string' || name.length > MAX_LENGTH || !NAME.test(name)) return undefined;
  try {
    formatOf(name as TimeZone);
    return name as TimeZone;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Returns the day of an instant (epoch milliseconds) in a zone, as `2026-11-01`. */
export function isoDayIn(timeZone: TimeZone, atMs: number): string {
  return formatOf(timeZone).format(atMs);
}

/** Formats are expensive to create, and limited by the number of zones: invalid names are not cached. */
const formats = new Map<TimeZone, Intl.DateTimeFormat>();

function formatOf(timeZone: TimeZone): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  // The Canadian date format is the ISO format.
  const made = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
  formats.set(timeZone, made);
  return made;
}
