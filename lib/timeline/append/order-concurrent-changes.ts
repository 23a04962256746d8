/**
 * Orders concurrent changes. Changes that overlap and set one fact directly, without a draft, form a group: the platform
 * may have made them in any order. A later reading shows which of them was the last.
 */

import type { CommonEventFields } from '../event-record.ts';
import { type FactChange, findFactChange, hashUnlessReported, isSameFactText } from '../facts.ts';
import { observedFactText } from './compare-observation.ts';
import type { Observation } from './observation.ts';
import { type RecordedState, recordedFactText } from './recorded-state.ts';

/** An item that follows the concurrent changes in the queue. Lists of such items have the oldest first. */
export type LaterQueueItem = { readonly change: CommonEventFields } | { readonly observation: Observation };

/** A request lives for 20 s; a change whose response was lost counts for this long. */
const MAX_CHANGE_REQUEST_MS = 30_000;
/** How long a group waits for a later reading. */
const MAX_WAIT_FOR_LATER_READING_MS = 5 * 60_000;
/**
 * Matches the facts that one request sets without a draft. Only these can be set from a state that is no longer current: the
 * platform rejects a draft of such a state.
 */
const DIRECTLY_SET_FIELD_PATTERN =
  /^(?:status|nextBillingDate|currentPause\.resumesAt|billingCycles\..+|lines\..+\.(?:variantId|currentPrice))$/;

/** Returns the changes whose order may differ from that of their numbers, including the first one. */
export function findConcurrentChanges(
  first: CommonEventFields,
  others: readonly CommonEventFields[],
): CommonEventFields[] {
  const concurrentChanges = [first];
  for (let sizeBefore = 0; sizeBefore !== concurrentChanges.length; ) {
    sizeBefore = concurrentChanges.length;
    for (const otherChange of others) {
      if (
        !concurrentChanges.includes(otherChange) &&
        concurrentChanges.some((member) => areChangesConcurrent(member, otherChange))
      )
        concurrentChanges.push(otherChange);
    }
  }
  return concurrentChanges.sort((one, other) => (one.number < other.number ? -1 : 1));
}

function areChangesConcurrent(one: CommonEventFields, other: CommonEventFields): boolean {
  const doTimesOverlap =
    one.createdAtMs <= latestEffectAtMs(other) && other.createdAtMs <= latestEffectAtMs(one);
  return doTimesOverlap && listCommonDirectlySetFields([one, other]).length > 0;
}

/** Returns the latest time at which the platform can have made the change, epoch milliseconds. */
function latestEffectAtMs({ createdAtMs, endedAtMs = Infinity }: CommonEventFields): number {
  return Math.min(endedAtMs, createdAtMs + MAX_CHANGE_REQUEST_MS);
}

/** Returns the direct facts that at least two of the changes name. */
function listCommonDirectlySetFields(changes: readonly CommonEventFields[]): string[] {
  const namedFields = changes.flatMap((one) => [
    ...new Set(one.changes.filter(isFactChangedDirectly).map(({ field }) => field)),
  ]);
  return [...new Set(namedFields.filter((field, index) => namedFields.indexOf(field) !== index))];
}

function isFactChangedDirectly({ field, before, after }: FactChange): boolean {
  return DIRECTLY_SET_FIELD_PATTERN.test(field) && before !== after;
}

type OrderingContext = {
  readonly state: RecordedState;
  readonly later: readonly LaterQueueItem[];
  readonly nowMs: number;
};

/** Returns the group in the order of the changes; undefined while a later reading is awaited. */
export function orderConcurrentChanges(
  group: readonly CommonEventFields[],
  { state, later, nowMs }: OrderingContext,
): CommonEventFields[] | undefined {
  if (group.length === 1) return [...group];
  const differingField = listCommonDirectlySetFields(group).find(
    (one) => new Set(group.map((each) => factTextAfterChange(each, one))).size > 1,
  );
  if (differingField === undefined)
    return chainChangesByStartingText(group, { state, field: listCommonDirectlySetFields(group)[0] ?? '' });
  const endedAtMs = Math.max(...group.map(latestEffectAtMs));
  const laterText = findLaterFactText(later, { field: differingField, endedAtMs });
  if (laterText === undefined) {
    return nowMs < endedAtMs + MAX_WAIT_FOR_LATER_READING_MS
      ? undefined
      : chainChangesByStartingText(group, { state, field: differingField });
  }
  const fittingChanges = group.filter((one) =>
    isSameFactText(differingField, factTextAfterChange(one, differingField) ?? null, laterText),
  );
  const last = fittingChanges.findLast((one) => !wasResponseLost(one)) ?? fittingChanges.at(-1);
  return chainChangesByStartingText(group, { state, field: differingField, last });
}

function factTextAfterChange(change: CommonEventFields, field: string): string | null | undefined {
  return findFactChange(change.changes, field)?.after;
}

/** Whether the response was lost: the change was settled later. */
function wasResponseLost({ createdAtMs, endedAtMs = Infinity }: CommonEventFields): boolean {
  return endedAtMs > createdAtMs + MAX_CHANGE_REQUEST_MS;
}

/** Returns the first reading of the fact after the group; undefined when there is none. */
function findLaterFactText(
  later: readonly LaterQueueItem[],
  { field, endedAtMs }: { readonly field: string; readonly endedAtMs: number },
): string | null | undefined {
  const laterReadings = later.flatMap((one) => {
    if ('observation' in one) {
      const { observation } = one;
      const text = observedFactText(observation, field);
      return text === undefined ? [] : [{ atMs: observation.startedAtMs, text }];
    }
    const { readAtMs, createdAtMs, contract = '', changes } = one.change;
    const factChange = findFactChange(changes, field);
    return factChange === undefined
      ? []
      : [{ atMs: readAtMs ?? createdAtMs, text: hashUnlessReported(contract, field, factChange.before) }];
  });
  const laterTexts = laterReadings
    .filter(({ atMs }) => atMs > endedAtMs)
    .sort((one, other) => one.atMs - other.atMs);
  return laterTexts[0]?.text;
}

type OrderingEvidence = {
  readonly state: RecordedState;
  readonly field: string;
  readonly last?: CommonEventFields | undefined;
};

/**
 * Orders the changes. The next one is the change whose starting value equals the value that the one before set; if
 * there is none, the change with the lowest number.
 */
function chainChangesByStartingText(
  group: readonly CommonEventFields[],
  { state, field, last }: OrderingEvidence,
): CommonEventFields[] {
  const remainingChanges = group.filter((one) => one !== last);
  const orderedChanges: CommonEventFields[] = [];
  let factText = recordedFactText(state, field);
  while (remainingChanges.length > 0) {
    const nextIndex = remainingChanges.findIndex((one) => {
      const textBefore = findFactChange(one.changes, field)?.before;
      return (
        textBefore !== undefined && factText !== undefined && isSameFactText(field, textBefore, factText)
      );
    });
    const [next] = remainingChanges.splice(Math.max(nextIndex, 0), 1);
    if (next === undefined) break;
    orderedChanges.push(next);
    factText = factTextAfterChange(next, field) ?? factText;
  }
  return last === undefined ? orderedChanges : [...orderedChanges, last];
}
