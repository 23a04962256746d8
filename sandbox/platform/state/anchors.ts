/** The days that a policy's anchors name. A day that the month lacks means its last one; times of day stay. */
import type { Anchor, FrequencyPolicy } from './catalogue-records.ts';
import { addInterval, DAY_MS } from './instant.ts';

/**
 * The n-th anchored day after `afterMs`, n from 1, of a policy with anchors; epoch milliseconds. Several anchors take
 * turns. `skipped` periods pass first: every 2 weeks on Monday begins at the second Monday.
 */
export function computeNthAnchoredDay(
  { interval, intervalCount, anchors }: FrequencyPolicy,
  { afterMs, n, skipped }: { afterMs: number; n: number; skipped: number },
): number {
  const firsts = anchors.map((anchor) => ({ anchor, ms: findNextAnchoredDay(anchor, afterMs) }));
  // Several anchors can mean the last day of a short month, and take turns in the order of their own days.
  firsts.sort((one, other) => one.ms - other.ms || one.anchor.day - other.anchor.day);
  const first = firsts[(n - 1) % anchors.length];
  if (first === undefined) return afterMs;
  const periods = Math.floor((n - 1) / anchors.length) * intervalCount + skipped;
  return moveToAnchorDay(first.anchor, addInterval(first.ms, interval, periods));
}

/** A short month may have moved the day: back to the anchor's, where the month has it. */
function moveToAnchorDay({ type, day }: Anchor, ms: number): number {
  return type === 'WEEKDAY' ? ms : addMonthsOnDay(ms, 0, day);
}

/** First day after `afterMs`, at the same time of day, that the anchor names. Weekdays count from Monday, 1. */
function findNextAnchoredDay({ type, day, month }: Anchor, afterMs: number): number {
  const after = new Date(afterMs);
  if (type === 'WEEKDAY') return afterMs + ((day - after.getUTCDay() + 7) % 7 || 7) * DAY_MS;
  const toMonth = type === 'MONTHDAY' || month === null ? 0 : month - 1 - after.getUTCMonth();
  const first = addMonthsOnDay(afterMs, toMonth, day);
  return first > afterMs ? first : addMonthsOnDay(afterMs, toMonth + (type === 'MONTHDAY' ? 1 : 12), day);
}

/** The day so many months later, at the same time. */
function addMonthsOnDay(ms: number, months: number, day: number): number {
  const date = new Date(ms);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const timeOfDay = ms - Date.UTC(year, date.getUTCMonth(), date.getUTCDate());
  return Date.UTC(year, month, Math.min(day, lastDay)) + timeOfDay;
}
