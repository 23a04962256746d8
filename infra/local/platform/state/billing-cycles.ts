/**
 * Billing cycles, computed and never stored: from a contract's schedule (policy and anchors), with its edits on top.
 * As on the real platform: indices start at 1, a cycle ends on the full hour counted from the contract's making,
 * the next starts a second later, and a cycle is billed at its end unless its date was moved.
 */
import type { Anchor, Policy } from './catalogue-records.ts';
import type { ContractRecord, ScheduleSegment } from './contract-records.ts';
import { addInterval, dayMs, hourMs, isoInstant } from './instant.ts';

/** How many cycles after the current one can be named. */
export const upcomingCycleLimit = 500;

export type BillingCycle = {
  contract: ContractRecord;
  index: number;
  startMs: number;
  endMs: number;
  expectedMs: number;
  skipped: boolean;
  edited: boolean;
  billed: boolean;
};

/** The cycle of that index, or null: below 1, or past the policy's `maxCycles`. */
export function cycleByIndex(contract: ContractRecord, index: number): BillingCycle | null {
  const segment = contract.schedule.findLast((candidate) => candidate.fromIndex <= index);
  const max = contract.content.billingPolicy.maxCycles;
  if (segment === undefined || !Number.isInteger(index) || (max !== null && index > max)) return null;
  const offset = index - segment.fromIndex;
  const startMs = offset === 0 ? Date.parse(segment.startAt) : cycleEnd(segment, offset) + 1000;
  const endMs = cycleEnd(segment, offset + 1);
  const edit = contract.cycleEdits[index];
  return {
    contract,
    index,
    startMs,
    endMs,
    expectedMs: edit?.billingDate ? Date.parse(edit.billingDate) : endMs,
    skipped: edit?.skipped ?? false,
    edited: edit !== undefined,
    billed: contract.billedCycles.includes(index),
  };
}

/** The cycle that holds the instant, or null: before the contract or after its last cycle. */
export function cycleAt(contract: ContractRecord, atMs: number): BillingCycle | null {
  let low = 1;
  let high = 1;
  // Ends grow with the index: double until past the instant, then halve.
  while (endsBefore(contract, high, atMs)) high *= 2;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (endsBefore(contract, middle, atMs)) low = middle + 1;
    else high = middle;
  }
  const cycle = cycleByIndex(contract, low);
  return cycle !== null && Math.floor(cycle.startMs / 1000) * 1000 <= atMs ? cycle : null;
}

/** Index of the last cycle that can be named at that instant. */
export function lastNameableIndex(contract: ContractRecord, nowMs: number): number {
  const max = contract.content.billingPolicy.maxCycles ?? Number.POSITIVE_INFINITY;
  return Math.min(max, (cycleAt(contract, nowMs)?.index ?? max) + upcomingCycleLimit);
}

/** All cycles from `first` to `last`, both included. */
export function cyclesBetween(contract: ContractRecord, first: number, last: number): BillingCycle[] {
  const cycles: BillingCycle[] = [];
  for (let index = first; index <= last; index += 1) {
    const cycle = cycleByIndex(contract, index);
    if (cycle !== null) cycles.push(cycle);
  }
  return cycles;
}

/**
 * What becomes of the running cycle when a new policy is committed; merchants report both. It keeps its end and the
 * new policy counts from there, or it is counted anew from its start. Then its end can lie in the past.
 */
export const reschedulings = ['AFTER_CURRENT_CYCLE', 'FROM_CURRENT_CYCLE'] as const;

export type Rescheduling = (typeof reschedulings)[number];

/** The first segment that a new policy makes, or null: no cycle runs, so the schedule stays. */
export function newSegment(
  contract: ContractRecord,
  policy: Policy,
  { nowMs, rescheduling }: { nowMs: number; rescheduling: Rescheduling },
): ScheduleSegment | null {
  const current = cycleAt(contract, nowMs);
  if (current === null) return null;
  return rescheduling === 'FROM_CURRENT_CYCLE'
    ? { fromIndex: current.index, startAt: isoInstant(current.startMs), policy }
    : { fromIndex: current.index + 1, startAt: isoInstant(current.endMs + 1000), policy };
}

function endsBefore(contract: ContractRecord, index: number, atMs: number): boolean {
  const cycle = cycleByIndex(contract, index);
  return cycle !== null && cycle.endMs < atMs;
}

/** End of a segment's n-th cycle, n from 1. */
function cycleEnd(segment: ScheduleSegment, n: number): number {
  const { interval, intervalCount, anchors } = segment.policy;
  const baseMs = Math.floor(Date.parse(segment.startAt) / hourMs) * hourMs;
  if (anchors.length === 0) return addInterval(baseMs, interval, n * intervalCount);
  const firsts = anchors.map((anchor) => ({ anchor, ms: nextAnchor(anchor, baseMs) }));
  const first = firsts.sort((one, other) => one.ms - other.ms)[(n - 1) % anchors.length];
  if (first === undefined) return baseMs;
  const count = Math.floor((n - 1) / anchors.length) * intervalCount;
  return onAnchor(first.anchor, addInterval(first.ms, interval, count));
}

/** A short month may have moved the day: back to the anchor's, where the month has it. */
function onAnchor({ type, day }: Anchor, ms: number): number {
  return type === 'WEEKDAY' ? ms : onDay(ms, 0, day);
}

/** First day after `afterMs`, at the same time of day, that the anchor names. Weekdays count from Monday, 1. */
function nextAnchor({ type, day, month }: Anchor, afterMs: number): number {
  const after = new Date(afterMs);
  if (type === 'WEEKDAY') return afterMs + ((day - after.getUTCDay() + 7) % 7 || 7) * dayMs;
  const toMonth = type === 'MONTHDAY' || month === null ? 0 : month - 1 - after.getUTCMonth();
  const first = onDay(afterMs, toMonth, day);
  return first > afterMs ? first : onDay(afterMs, toMonth + (type === 'MONTHDAY' ? 1 : 12), day);
}

/** That day so many months later, at the same time; a day that the month lacks means its last one. */
function onDay(ms: number, months: number, day: number): number {
  const date = new Date(ms);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const timeOfDay = ms - Date.UTC(year, date.getUTCMonth(), date.getUTCDate());
  return Date.UTC(year, month, Math.min(day, lastDay)) + timeOfDay;
}
