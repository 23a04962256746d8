/** Times that people type. */

const DAY = /^\d{4}-\d\d-\d\d$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z$/;

/** An instant like 2026-07-01T09:30:00Z, in epoch milliseconds; undefined: it is none, or there is no such day. (ISO 8601) */
export function readInstant(text: string): number | undefined {
  const atMs = INSTANT.test(text) ? Date.parse(text) : Number.NaN;
  // Date.parse makes 1 July of 31 June.
  const isThere = !Number.isNaN(atMs) && new Date(atMs).toISOString().startsWith(text.slice(0, 10));
  return isThere ? atMs : undefined;
}

/** An instant, or the beginning of a day in UTC like 2026-07-01; as above. */
export function readDayOrInstant(text: string): number | undefined {
  return readInstant(DAY.test(text) ? `${text}T00:00Z` : text);
}
