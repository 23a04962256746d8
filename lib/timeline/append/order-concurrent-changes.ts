/**
 * Orders concurrent changes. Changes that overlap and set one fact directly, without a draft, form a group: the platform
 * may have made them in any order. A later reading shows which of them was the last.
 */

import type { CommonEventFields } from '../event-record.ts';
import { type FactChange, findFactChange, hashUnlessReported, isSameFactText } from '../facts.ts';
import { observedFactText } from './compare-observation.ts';
import type { Observation } from './observation.ts';
import { type RecordedState, recordedFactText } from './recorded-state.ts';

/** A queued item behind the concurrent changes. Lists of such items are sorted oldest first. */
export type LaterQueueItem = { readonly change: CommonEventFields } | { readonly observation: Observation };

/** The platform may make a change until this time after its start, if the response was lost: a request lasts up to 20 s. */
const MAX_CHANGE_REQUEST_MS = 30_000;
/** How long concurrent changes wait for a later reading of the contract that shows their order. */
const MAX_WAIT_FOR_LATER_READING_MS = 5 * 60_000;
/**
 * Matches the facts that one request sets without a draft. Only these can be set from a state that is no longer current: the
 * platform rejects a draft of such a state.
 */
const DIRECTLY_SET_FIELD_PATTERN =
  /^(?:status|nextBillingDate|currentPause\.resumesAt|billingCycles\..+|lines\..+\.(?:variantId|currentPrice))$/;

/** Returns `first` and the changes that are concurrent with it, or with one of those: their numbers do not show their order. */
export function findConcurrentChanges(
  firstChange: CommonEventFields,
  otherChanges: readonly CommonEventFields[],
): CommonEventFields[] {
  const concurrentChanges = [firstChange];
  for (let sizeBefore = 0; sizeBefore !== concurrentChanges.length; ) {
    sizeBefore = concurrentChanges.length;
    for (const otherChange of otherChanges) {
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

/** Returns the directly set fields that at least two of the changes set. */
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
  readonly laterItems: readonly LaterQueueItem[];
  readonly nowMs: number;
};

/** Returns the changes in the order in which the platform made them; undefined while a later reading is awaited. */
export function orderConcurrentChanges(
  group: readonly CommonEventFields[],
  { state, laterItems, nowMs }: OrderingContext,
): CommonEventFields[] | undefined {
  if (group.length === 1) return [...group];
  const differingField = listCommonDirectlySetFields(group).find(
    (one) => new Set(group.map((each) => factTextAfterChange(each, one))).size > 1,
  );
  if (differingField === undefined)
    return chainChangesByStartingText(group, { state, field: listCommonDirectlySetFields(group)[0] ?? '' });
  const endedAtMs = Math.max(...group.map(latestEffectAtMs));
  const laterText = findLaterFactText(laterItems, { field: differingField, endedAtMs });
  if (laterText === undefined) {
    return nowMs < endedAtMs + MAX_WAIT_FOR_LATER_READING_MS
      ? undefined
      : chainChangesByStartingText(group, { state, field: differingField });
  }
  const fittingChanges = group.filter((one) =>
    isSameFactText(differingField, factTextAfterChange(one, differingField) ?? null, laterText),
  );
  const lastChange = fittingChanges.findLast((one) => !wasResponseLost(one)) ?? fittingChanges.at(-1);
  return chainChangesByStartingText(group, { state, field: differingField, lastChange });
}

function factTextAfterChange(change: CommonEventFields, field: string): string | null | undefined {
  return findFactChange(change.changes, field)?.after;
}

/** Whether the response to the change was lost, so that the change was settled later. */
function wasResponseLost({ createdAtMs, endedAtMs = Infinity }: CommonEventFields): boolean {
  return endedAtMs > createdAtMs + MAX_CHANGE_REQUEST_MS;
}

/** Returns the fact's text in the first reading after the concurrent changes; undefined when there is none. */
function findLaterFactText(
  laterItems: readonly LaterQueueItem[],
  { field, endedAtMs }: { readonly field: string; readonly endedAtMs: number },
): string | null | undefined {
  const laterReadings = laterItems.flatMap((one) => {
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
  readonly lastChange?: CommonEventFields | undefined;
};

/**
 * Orders the changes by a fact: each change starts from the value that the previous change set, else the change with the
 * lowest number is next. `lastChange`, if known, comes last.
 */
function chainChangesByStartingText(
  group: readonly CommonEventFields[],
  { state, field, lastChange }: OrderingEvidence,
): CommonEventFields[] {
  const remainingChanges = group.filter((one) => one !== lastChange);
  const orderedChanges: CommonEventFields[] = [];
  let factText = recordedFactText(state, field);
  while (remainingChanges.length > 0) {
    const nextIndex = remainingChanges.findIndex((one) => {
      const textBefore = findFactChange(one.changes, field)?.before;
      return (
        textBefore !== undefined && factText !== undefined && isSameFactText(field, textBefore, factText)
      );
    });
    const [nextChange] = remainingChanges.splice(Math.max(nextIndex, 0), 1);
    if (nextChange === undefined) break;
    orderedChanges.push(nextChange);
    factText = factTextAfterChange(nextChange, field) ?? factText;
  }
  return lastChange === undefined ? orderedChanges : [...orderedChanges, lastChange];
}
