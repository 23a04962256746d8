/** Time zones by their IANA names, and the days and local times in them. */
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

/** A day and a time of day, as clocks in a zone show them. */
type LocalTime = {
  /** `2026-11-01`. */
  readonly day: string;
  /** Seconds since the clocks showed 00:00, from 0 to 86,399. */
  readonly secondOfDay: number;
};

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
const DAY_MS = 86_400_000;

/** Returns whether a text is a day of the calendar, as `2026-11-01`. */
export function isDay(text: string): boolean {
  const [, year, month, day] = DAY.exec(text) ?? [];
  if (year === undefined || month === undefined || day === undefined) return false;
  const daysOfMonth = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  return Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= daysOfMonth;
}

/**
 * Returns what the clocks in a zone show at an instant, in epoch milliseconds.
 * @internal Bare days of arguments use it.
 */
export function localTimeIn(timeZone: TimeZone, atMs: number): LocalTime {
  const localMs = atMs + offsetMs(timeZone, atMs);
  const day = new Date(localMs).toISOString().slice(0, 10);
  return { day, secondOfDay: Math.floor((localMs - Date.parse(day)) / 1000) };
}

/**
 * Returns the instant, in epoch milliseconds, at which the clocks in a zone show a local time. A time that they show
 * twice means the first; for a time that they skip it is the next instant, at which they are set forward.
 * @internal Bare days of arguments use it.
 */
export function instantOf(timeZone: TimeZone, { day, secondOfDay }: LocalTime): number {
  const localMs = Date.parse(day) + secondOfDay * 1000;
  const [before, after] = [offsetMs(timeZone, localMs - DAY_MS), offsetMs(timeZone, localMs + DAY_MS)];
  const [earlier, later] = [localMs - Math.max(before, after), localMs - Math.min(before, after)];
  const exact = [earlier, later].find((atMs) => atMs + offsetMs(timeZone, atMs) === localMs);
  return exact ?? changeOfClocks(timeZone, earlier, later);
}

/** Returns the first instant after which the offset is the one at `untilMs`. */
function changeOfClocks(timeZone: TimeZone, fromMs: number, untilMs: number): number {
  const offset = offsetMs(timeZone, untilMs);
  let [low, high] = [Math.floor(fromMs / 1000), Math.floor(untilMs / 1000)];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (offsetMs(timeZone, middle * 1000) === offset) high = middle;
    else low = middle + 1;
  }
  return low * 1000;
}

/** Returns how far the clocks in a zone are ahead of UTC, in milliseconds. */
function offsetMs(timeZone: TimeZone, atMs: number): number {
  // The Swedish format is the ISO format: `2026-11-01 01:30:00`.
  const local = `${clockOf(timeZone).format(atMs).replace(' ', 'T')}Z`;
  return Date.parse(local) - Math.floor(atMs / 1000) * 1000;
}

/** Formats are expensive to create, and limited by the number of zones: invalid names are not cached. */
const formats = new Map<TimeZone, Intl.DateTimeFormat>();
const clocks = new Map<TimeZone, Intl.DateTimeFormat>();

function formatOf(timeZone: TimeZone): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  // The Canadian date format is the ISO format.
  const made = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
  formats.set(timeZone, made);
  return made;
}

function clockOf(timeZone: TimeZone): Intl.DateTimeFormat {
  const known = clocks.get(timeZone);
  if (known !== undefined) return known;
  const created = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  clocks.set(timeZone, created);
  return created;
}
