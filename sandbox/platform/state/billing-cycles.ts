/**
 * Billing cycles are computed and never stored: from a contract's schedule (policy and anchors), with its edits
 * applied. As on the real platform, indices start at 1, a cycle ends on the full hour counted from the contract's
 * creation, the next cycle starts a second later, and a cycle is billed at its end unless its date was moved. A
 * policy's `minCycles` and `maxCycles` have no effect here: the app that bills enforces them.
 */
import { computeNthAnchoredDay } from './anchors.ts';
import type { FrequencyPolicy } from './catalogue-records.ts';
import type { ContractRecord, ScheduleSegment } from './contract-records.ts';
import { addCalendarUnits, formatIsoInstant, HOUR_MS } from './instant.ts';
import { type BehaviourSettings, behaviourOfStore } from './unpublished-behaviour.ts';

/** How many cycles after the current one can be selected. */
const MAX_UPCOMING_CYCLES = 500;

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

/** Returns the cycle of that index, or null below 1. */
export function findCycleByIndex(contract: ContractRecord, index: number): BillingCycle | null {
  const scheduleSegment = contract.schedule.findLast((candidate) => candidate.fromIndex <= index);
  if (scheduleSegment === undefined || !Number.isInteger(index)) return null;
  const numberInSegment = index - scheduleSegment.fromIndex + 1;
  const startMs =
    numberInSegment === 1
      ? Date.parse(scheduleSegment.startAt)
      : computeCycleEnd(scheduleSegment, numberInSegment - 1) + 1000;
  const endMs = computeCycleEnd(scheduleSegment, numberInSegment);
  const cycleEdit = contract.cycleEdits[index];
  return {
    contract,
    index,
    startMs,
    endMs,
    expectedMs: cycleEdit?.billingDate ? Date.parse(cycleEdit.billingDate) : endMs,
    skipped: cycleEdit?.skipped ?? false,
    edited: cycleEdit !== undefined,
    billed: contract.billedCycles.includes(index),
  };
}

/** Returns the cycle that contains the instant, or null before the contract. */
export function findCycleAt(contract: ContractRecord, atMs: number): BillingCycle | null {
  let lowIndex = 1;
  let highIndex = 1;
  // Ends grow with the index: double until past the instant, then bisect.
  while (doesCycleEndBefore(contract, highIndex, atMs)) highIndex *= 2;
  while (lowIndex < highIndex) {
    const middleIndex = Math.floor((lowIndex + highIndex) / 2);
    if (doesCycleEndBefore(contract, middleIndex, atMs)) lowIndex = middleIndex + 1;
    else highIndex = middleIndex;
  }
  const cycle = findCycleByIndex(contract, lowIndex);
  return cycle !== null && Math.floor(cycle.startMs / 1000) * 1000 <= atMs ? cycle : null;
}

/** Returns the index of the last cycle that can be selected at that instant. */
export function lastSelectableIndex(contract: ContractRecord, nowMs: number): number {
  return (findCycleAt(contract, nowMs)?.index ?? 1) + MAX_UPCOMING_CYCLES;
}

/** Returns all cycles from `firstIndex` to `lastIndex`, inclusive. */
export function listCyclesBetween(
  contract: ContractRecord,
  firstIndex: number,
  lastIndex: number,
): BillingCycle[] {
  const cycles: BillingCycle[] = [];
  for (let cycleIndex = firstIndex; cycleIndex <= lastIndex; cycleIndex += 1) {
    const cycle = findCycleByIndex(contract, cycleIndex);
    if (cycle !== null) cycles.push(cycle);
  }
  return cycles;
}

/**
 * The effect of a new policy on the current cycle; merchants report both. Either the cycle retains its end and the new
 * policy applies from there, or the cycle is recomputed from its start. Then its end can be in the past.
 */
export const RESCHEDULING_KINDS = ['AFTER_CURRENT_CYCLE', 'FROM_CURRENT_CYCLE'] as const;

export type ReschedulingRule = (typeof RESCHEDULING_KINDS)[number];

type SchedulingStore = { readonly unpublished?: Partial<BehaviourSettings> };

/** Creates a segment of a schedule as the store's platform would. `startAt` is an instant in the platform's format. */
export function createScheduleSegment(
  store: SchedulingStore,
  { fromIndex, startAt, policy }: Omit<ScheduleSegment, 'hasEmptyCycle'>,
): ScheduleSegment {
  const hasEmptyCycle =
    policy.anchors.length > 1 && behaviourOfStore(store, 'severalAnchors') === 'emptyCycle';
  return { fromIndex, startAt, policy, ...(hasEmptyCycle && { hasEmptyCycle }) };
}

/** Returns the first segment of a new policy, or null when there is no current cycle, so the schedule stays. */
export function createNextSegment(
  store: SchedulingStore & { readonly rescheduling: ReschedulingRule },
  contract: ContractRecord,
  { policy, nowMs }: { policy: FrequencyPolicy; nowMs: number },
): ScheduleSegment | null {
  const currentCycle = findCycleAt(contract, nowMs);
  if (currentCycle === null) return null;
  const segmentStart =
    store.rescheduling === 'FROM_CURRENT_CYCLE'
      ? { fromIndex: currentCycle.index, startAt: formatIsoInstant(currentCycle.startMs) }
      : { fromIndex: currentCycle.index + 1, startAt: formatIsoInstant(currentCycle.endMs + 1000) };
  return createScheduleSegment(store, { ...segmentStart, policy });
}

function doesCycleEndBefore(contract: ContractRecord, index: number, atMs: number): boolean {
  const cycle = findCycleByIndex(contract, index);
  return cycle !== null && cycle.endMs < atMs;
}

/** Returns the end of a segment's n-th cycle, with n from 1. */
function computeCycleEnd(segment: ScheduleSegment, n: number): number {
  if (segment.hasEmptyCycle !== true || n === 1) return findPolicyEnd(segment, n);
  // The second cycle is a single instant, and the third ends at the next anchor.
  return n === 2 ? findPolicyEnd(segment, 1) + 1000 : findPolicyEnd(segment, n - 1);
}

type ComputedEnds = Pick<ScheduleSegment, 'startAt'> & FrequencyPolicy & { readonly byNumber: number[] };

/** The ends that were computed for a segment, with the values that they were computed from. */
const endsBySegment = new WeakMap<ScheduleSegment, ComputedEnds>();

function findPolicyEnd(segment: ScheduleSegment, n: number): number {
  const { startAt, policy } = segment;
  let cachedEnds = endsBySegment.get(segment);
  const isCacheCurrent =
    cachedEnds?.startAt === startAt &&
    cachedEnds.interval === policy.interval &&
    cachedEnds.intervalCount === policy.intervalCount &&
    cachedEnds.anchors === policy.anchors;
  if (cachedEnds === undefined || !isCacheCurrent) {
    cachedEnds = { ...policy, startAt, byNumber: [] };
    endsBySegment.set(segment, cachedEnds);
  }
  const endMs = cachedEnds.byNumber[n] ?? computePolicyEnd(segment, n);
  cachedEnds.byNumber[n] = endMs;
  return endMs;
}

function computePolicyEnd(segment: ScheduleSegment, n: number): number {
  const { interval, intervalCount, anchors } = segment.policy;
  const baseMs = Math.floor(Date.parse(segment.startAt) / HOUR_MS) * HOUR_MS;
  if (anchors.length === 0) return addCalendarUnits(baseMs, interval, n * intervalCount);
  return computeNthAnchoredDay(segment.policy, { afterMs: baseMs, n, skipped: intervalCount - 1 });
}
