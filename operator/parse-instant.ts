/** Parses times that people type. */

const DAY_PATTERN = /^\d{4}-\d\d-\d\d$/;
const INSTANT_PATTERN = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z$/;

/**
 * Parses an instant like 2026-07-01T09:30:00Z (ISO 8601).
 * @returns epoch milliseconds, or undefined when the text is not an instant or the day does not exist
 */
export function parseInstant(text: string): number | undefined {
  const atMs = INSTANT_PATTERN.test(text) ? Date.parse(text) : Number.NaN;
  // Date.parse turns 31 June into 1 July.
  const isExistingInstant = !Number.isNaN(atMs) && new Date(atMs).toISOString().startsWith(text.slice(0, 10));
  return isExistingInstant ? atMs : undefined;
}

/**
 * Parses an instant, or the start of a day in UTC like 2026-07-01.
 * @returns as `parseInstant`
 */
export function parseDayOrInstant(text: string): number | undefined {
  return parseInstant(DAY_PATTERN.test(text) ? `${text}T00:00Z` : text);
}
