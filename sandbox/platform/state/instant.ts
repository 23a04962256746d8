/** Formats instants like the platform: ISO 8601 in UTC, in whole seconds, with `Z`. */

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** Formats epoch milliseconds as `2026-09-12T04:00:00Z`. */
export function formatIsoInstant(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, -5)}Z`;
}

/** Adds calendar units in UTC. Returns the last day of a month that is too short. */
export function addCalendarUnits(ms: number, unit: 'DAY' | 'WEEK' | 'MONTH' | 'YEAR', count: number): number {
  if (unit === 'DAY') return ms + count * DAY_MS;
  if (unit === 'WEEK') return ms + count * 7 * DAY_MS;
  const date = new Date(ms);
  const monthIndex = date.getUTCMonth() + count * (unit === 'YEAR' ? 12 : 1);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), monthIndex + 1, 0)).getUTCDate();
  const day = Math.min(date.getUTCDate(), lastDay);
  const timeOfDay = ms - Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate());
  return Date.UTC(date.getUTCFullYear(), monthIndex, day) + timeOfDay;
}
