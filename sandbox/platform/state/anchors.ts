/**
 * Computes the days of a policy's anchors. In a month that is too short, the last day counts. The time of day stays the
 * same.
 */
import type { BillingAnchor, FrequencyPolicy } from './catalogue-records.ts';
import { addCalendarUnits, DAY_MS } from './instant.ts';

/**
 * Returns the n-th anchored day after `afterMs` (n from 1) of a policy with anchors, in epoch milliseconds. Several
 * anchors alternate. `skipped` is the number of periods to skip first: every 2 weeks on Monday starts at the second
 * Monday.
 */
export function computeNthAnchoredDay(
  { interval, intervalCount, anchors }: FrequencyPolicy,
  { afterMs, n, skipped }: { afterMs: number; n: number; skipped: number },
): number {
  const firstDays = anchors.map((anchor) => ({ anchor, ms: findNextAnchoredDay(anchor, afterMs) }));
  // Several anchors can mean the last day of a short month, and take turns in the order of their own days.
  firstDays.sort((one, other) => one.ms - other.ms || one.anchor.day - other.anchor.day);
  const firstAnchor = firstDays[(n - 1) % anchors.length];
  if (firstAnchor === undefined) return afterMs;
  const periodOffset = Math.floor((n - 1) / anchors.length) * intervalCount + skipped;
  return moveToAnchorDay(firstAnchor.anchor, addCalendarUnits(firstAnchor.ms, interval, periodOffset));
}

/** Restores the anchor's day, which a short month may have moved to its last day. */
function moveToAnchorDay({ type, day }: BillingAnchor, ms: number): number {
  return type === 'WEEKDAY' ? ms : addMonthsOnDay(ms, 0, day);
}

/** Returns the first day of the anchor after `afterMs`, at the same time of day. Weekdays count from Monday, 1. */
function findNextAnchoredDay({ type, day, month }: BillingAnchor, afterMs: number): number {
  const afterDate = new Date(afterMs);
  if (type === 'WEEKDAY') return afterMs + ((day - afterDate.getUTCDay() + 7) % 7 || 7) * DAY_MS;
  const monthOffset = type === 'MONTHDAY' || month === null ? 0 : month - 1 - afterDate.getUTCMonth();
  const firstDate = addMonthsOnDay(afterMs, monthOffset, day);
  return firstDate > afterMs
    ? firstDate
    : addMonthsOnDay(afterMs, monthOffset + (type === 'MONTHDAY' ? 1 : 12), day);
}

/** Returns the day `months` later, at the same time of day. */
function addMonthsOnDay(ms: number, months: number, day: number): number {
  const date = new Date(ms);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const timeOfDay = ms - Date.UTC(year, date.getUTCMonth(), date.getUTCDate());
  return Date.UTC(year, month, Math.min(day, lastDay)) + timeOfDay;
}
