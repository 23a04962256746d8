/** Days and hours of a time zone. */
const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns what clocks of the zone show, as the instant at which clocks of UTC show it. */
function readClock(ms: number, timeZone: string): number {
  let format = formats.get(timeZone);
  if (format === undefined) {
    const fields = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit' } as const;
    const more = { minute: '2-digit', second: '2-digit', hourCycle: 'h23', timeZone } as const;
    format = new Intl.DateTimeFormat('en-CA', { ...fields, ...more });
    formats.set(timeZone, format);
  }
  const parts = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value]));
  const { year, month, day, hour, minute, second } = parts;
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) + (ms % 1000);
}

/** Returns the day of the zone at an instant. */
export function dayAt(ms: number, timeZone: string): string {
  return new Date(readClock(ms, timeZone)).toISOString().slice(0, 10);
}

export function addDays(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY_MS).toISOString().slice(0, 10);
}

const instants = new Map<string, number>();

/**
 * Returns the instant at which the hour of the day begins. An hour that comes twice begins the first time; an hour that
 * the day does not have begins when the clocks are put forward over it.
 */
export function instantAt(day: string, hour: number, timeZone: string): number {
  const key = `${timeZone} ${day} ${hour}`;
  const known = instants.get(key);
  if (known !== undefined) return known;
  const clockMs = Date.parse(`${day}T00:00:00Z`) + hour * HOUR_MS;
  // The zone's distance from UTC, a day before and a day after: no zone changes twice in two days.
  const [before = 0, after = 0] = [-DAY_MS, DAY_MS].map(
    (shift) => readClock(clockMs + shift, timeZone) - (clockMs + shift),
  );
  const found = [clockMs - before, clockMs - after]
    .toSorted((one, other) => one - other)
    .find((ms) => readClock(ms, timeZone) === clockMs);
  const instant = found ?? clockMs - before;
  instants.set(key, instant);
  return instant;
}

/** Returns the first instant of a day. */
export function startOfDay(day: string, timeZone: string): number {
  return instantAt(day, 0, timeZone);
}
