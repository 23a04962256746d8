/** Time zones by IANA name, and conversions between instants and local days and times. */
import type { Brand } from './brand.ts';

/** A time zone that this runtime knows, for example `America/New_York`. */
export type TimeZone = Brand<string, 'TimeZone'>;

/** The time zone that is assumed for a store whose time zone is unknown. */
export const UTC = 'UTC' as TimeZone;

const MAX_TIME_ZONE_NAME_LENGTH = 64;
const TIME_ZONE_NAME_PATTERN = /^[A-Za-z][A-Za-z0-9_+/-]*$/;

/**
 * Parses the name of a time zone. Does not accept offsets such as `+02:00`.
 * @returns undefined when this runtime does not know the time zone
 */
export function parseTimeZone(name: unknown): TimeZone | undefined {
  if (
    typeof name !== 'string' ||
    name.length > MAX_TIME_ZONE_NAME_LENGTH ||
    !TIME_ZONE_NAME_PATTERN.test(name)
  )
    return undefined;
  try {
    dayFormatOf(name as TimeZone);
    return name as TimeZone;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Returns the local day of an instant (epoch milliseconds) as `2026-11-01`. */
export function isoDayIn(timeZone: TimeZone, atMs: number): string {
  return dayFormatOf(timeZone).format(atMs);
}

/** A local day and time of day. */
type LocalTime = {
  /** The day as `2026-11-01`. */
  readonly day: string;
  /** The time of day in seconds since local 00:00, from 0 to 86,399. */
  readonly secondOfDay: number;
};

const DAY_PATTERN = /^(\d{4})-(\d{2})-(\d{2})$/;
const DAY_MS = 86_400_000;

/** Whether the text has the form of a day, `2026-11-01`. The calendar may lack the day. */
export function hasDayForm(text: string): boolean {
  return DAY_PATTERN.test(text);
}

/** Whether the text is an existing day in the form `2026-11-01`. */
export function isIsoDay(text: string): boolean {
  const [, year, month, day] = DAY_PATTERN.exec(text) ?? [];
  if (year === undefined || month === undefined || day === undefined) return false;
  const dayCountOfMonth = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  return Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= dayCountOfMonth;
}

/** Returns local day and time of an instant (epoch milliseconds). */
export function localTimeIn(timeZone: TimeZone, atMs: number): LocalTime {
  const localMs = atMs + utcOffsetMs(timeZone, atMs);
  const day = new Date(localMs).toISOString().slice(0, 10);
  return { day, secondOfDay: Math.floor((localMs - Date.parse(day)) / 1000) };
}

/**
 * Returns the instant (epoch milliseconds) of a local day and time. A time that occurs twice, when daylight saving time
 * ends, means the first. For a time that does not exist, when it starts, returns the instant of the change.
 */
export function localTimeToEpochMs(timeZone: TimeZone, { day, secondOfDay }: LocalTime): number {
  const localMs = Date.parse(day) + secondOfDay * 1000;
  const [offsetBeforeMs, offsetAfterMs] = [
    utcOffsetMs(timeZone, localMs - DAY_MS),
    utcOffsetMs(timeZone, localMs + DAY_MS),
  ];
  const [earlierMs, laterMs] = [
    localMs - Math.max(offsetBeforeMs, offsetAfterMs),
    localMs - Math.min(offsetBeforeMs, offsetAfterMs),
  ];
  const exactMs = [earlierMs, laterMs].find((atMs) => atMs + utcOffsetMs(timeZone, atMs) === localMs);
  return exactMs ?? findOffsetChangeMs(timeZone, earlierMs, laterMs);
}

/** Returns the first instant at which the offset is the same as at `untilMs`, by binary search. */
function findOffsetChangeMs(timeZone: TimeZone, fromMs: number, untilMs: number): number {
  const offsetMs = utcOffsetMs(timeZone, untilMs);
  let [lowSeconds, highSeconds] = [Math.floor(fromMs / 1000), Math.floor(untilMs / 1000)];
  while (lowSeconds < highSeconds) {
    const middleSeconds = Math.floor((lowSeconds + highSeconds) / 2);
    if (utcOffsetMs(timeZone, middleSeconds * 1000) === offsetMs) highSeconds = middleSeconds;
    else lowSeconds = middleSeconds + 1;
  }
  return lowSeconds * 1000;
}

/**
 * The formatter writes instants in this range with a year of four digits, as ISO 8601 does. No order has a date outside
 * the range, so any offset is good enough there.
 */
const [MIN_FORMATTED_MS, MAX_FORMATTED_MS] = [Date.UTC(1600, 0), Date.UTC(9999, 0)];

/** Returns the offset of local time from UTC at an instant, in milliseconds. */
function utcOffsetMs(timeZone: TimeZone, atMs: number): number {
  const clampedMs = Math.min(Math.max(atMs, MIN_FORMATTED_MS), MAX_FORMATTED_MS);
  // The Swedish locale formats dates like ISO 8601: `2026-11-01 01:30:00`.
  const localText = `${clockFormatOf(timeZone).format(clampedMs).replace(' ', 'T')}Z`;
  return Date.parse(localText) - Math.floor(clampedMs / 1000) * 1000;
}

/**
 * Formatters are expensive to create, so they are cached. There is one per known time zone, because an invalid name
 * throws before it is cached.
 */
const dayFormatByTimeZone = new Map<TimeZone, Intl.DateTimeFormat>();
const clockFormatByTimeZone = new Map<TimeZone, Intl.DateTimeFormat>();

function dayFormatOf(timeZone: TimeZone): Intl.DateTimeFormat {
  const cachedFormat = dayFormatByTimeZone.get(timeZone);
  if (cachedFormat !== undefined) return cachedFormat;
  // The Canadian English locale formats dates like ISO 8601.
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
  dayFormatByTimeZone.set(timeZone, format);
  return format;
}

function clockFormatOf(timeZone: TimeZone): Intl.DateTimeFormat {
  const cachedFormat = clockFormatByTimeZone.get(timeZone);
  if (cachedFormat !== undefined) return cachedFormat;
  const clockFormat = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  clockFormatByTimeZone.set(timeZone, clockFormat);
  return clockFormat;
}
