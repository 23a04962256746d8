/**
 * The billing cycles of a contract, from the platform's facts alone: a cycle ends on the full hour counted from the
 * creation, a month that lacks the day ends on its last one, the next cycle starts a second later, and an order is due at
 * the end of its cycle. The calendar is that of UTC.
 */
import type { Anchor, Policy } from './description.ts';
import { DAY_MS, HOUR_MS } from './zone-time.ts';

export type Cycle = { readonly index: number; readonly startMs: number; readonly endMs: number };

/** Returns the cycles with an index from 1 that end at `untilMs` or before, and the next one. */
export function listCycles(policy: Policy, createdMs: number, untilMs: number): readonly Cycle[] {
  const cycles: Cycle[] = [];
  let startMs = createdMs;
  for (const endMs of cycleEnds(policy, createdMs)) {
    cycles.push({ index: cycles.length + 1, startMs, endMs });
    if (endMs > untilMs) return cycles;
    startMs = endMs + 1000;
    // Reported for several anchors: the second cycle ends when it starts.
    if (cycles.length !== 1 || policy.hasEmptyCycle !== true || policy.anchors.length < 2) continue;
    cycles.push({ index: 2, startMs, endMs: startMs });
    startMs += 1000;
  }
  return cycles;
}

function* cycleEnds(policy: Policy, createdMs: number): Generator<number> {
  const baseMs = Math.floor(createdMs / HOUR_MS) * HOUR_MS;
  if (policy.anchors.length > 0) yield* anchoredEnds(policy, baseMs);
  else for (let number = 1; ; number += 1) yield addIntervals(policy, baseMs, number);
}

function addIntervals({ interval, intervalCount }: Policy, baseMs: number, number: number): number {
  const count = number * intervalCount;
  if (interval === 'DAY') return baseMs + count * DAY_MS;
  if (interval === 'WEEK') return baseMs + count * 7 * DAY_MS;
  return addMonths(baseMs, interval === 'YEAR' ? 12 * count : count);
}

function addMonths(ms: number, count: number): number {
  const date = new Date(ms);
  const year = date.getUTCFullYear() + Math.floor((date.getUTCMonth() + count) / 12);
  const month = (((date.getUTCMonth() + count) % 12) + 12) % 12;
  const day = Math.min(date.getUTCDate(), lengthOfMonth(year, month));
  return Date.UTC(year, month, day) + (ms % DAY_MS);
}

function lengthOfMonth(year: number, month: number): number {
  return [31, isLeapYear(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month] ?? 0;
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/** Walks through the days after the base. Every 2 weeks on Monday means each second Monday, beginning with the second. */
function* anchoredEnds({ anchors, intervalCount }: Policy, baseMs: number): Generator<number> {
  const passed = new Map<Anchor, number>();
  for (let ms = baseMs + DAY_MS; ; ms += DAY_MS) {
    for (const anchor of anchors) {
      if (!isAnchoredDay(anchor, ms)) continue;
      const count = (passed.get(anchor) ?? 0) + 1;
      passed.set(anchor, count);
      if (count % intervalCount === 0) yield ms;
    }
  }
}

/** Weekdays count from Monday, 1. */
function isAnchoredDay({ type, day, month }: Anchor, ms: number): boolean {
  const date = new Date(ms);
  if (type === 'WEEKDAY') return date.getUTCDay() === day % 7;
  if (type === 'YEARDAY' && date.getUTCMonth() + 1 !== month) return false;
  const last = lengthOfMonth(date.getUTCFullYear(), date.getUTCMonth());
  return date.getUTCDate() === Math.min(day, last);
}
