/** Time zones by their IANA names, and the days in them. */
import type { Brand } from './brand.ts';

/** A zone that this runtime knows, for example `America/New_York`. */
export type TimeZone = Brand<string, 'TimeZone'>;

/** Days are UTC's where a store's zone is not known. */
export const UTC = 'UTC' as TimeZone;

const MAX_LENGTH = 64;
const NAME = /^[A-Za-z][A-Za-z0-9_+/-]*$/;

/** The zone of a name; undefined if it is no name of a zone in this runtime's tables. An offset is no name. */
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

/** The day of an instant (epoch milliseconds) in a zone, as `2026-11-01`. */
export function isoDayIn(timeZone: TimeZone, atMs: number): string {
  return formatOf(timeZone).format(atMs);
}

/** Dear to make, and at most as many as there are zones: a name that is none is not kept. */
const formats = new Map<TimeZone, Intl.DateTimeFormat>();

function formatOf(timeZone: TimeZone): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  // The Canadian way of writing dates is the ISO one.
  const made = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
  formats.set(timeZone, made);
  return made;
}
