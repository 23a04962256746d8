/**
 * Applies a change of the service to the recorded state. If the change's starting value differs from the recorded value, an
 * external change came before it, and the service's change is reported as starting from the external value.
 */
import type { EventAction } from '../actions.ts';
import type { EventRecord } from '../event-record.ts';
import {
  type FactChange,
  findFactChange,
  findFactKind,
  hashUnlessReported,
  isReportedWithoutValues,
  isSameFactText,
} from '../facts.ts';
import { isContractContentField } from '../settle/contract-content.ts';
import type { FactTransition } from './compare-observation.ts';
import {
  isUnmovedDateOfSkippedOrder,
  type RecordedState,
  recordedFactText,
  type UnobservedEffect,
  withRecordedFact,
  withUnknownFacts,
} from './recorded-state.ts';

export type AppliedChange = {
  readonly state: RecordedState;
  /** The external changes of facts that must have happened before this change. */
  readonly externalSteps: readonly FactTransition[];
  /** The changes of the entry that events report; the entry is corrected to them. */
  readonly changes: readonly FactChange[];
  /** Whether an event reports the entry: not if all its facts were reported by other changes. */
  readonly isReported: boolean;
};

/** Facts that an action may change in addition to its entry's facts: until they are observed, changes are attributed to it. */
const UNSTATED_EFFECTS_BY_ACTION: Readonly<Partial<Record<EventAction, readonly string[]>>> = {
  subscription_interval_updated: ['lines.*', 'discounts.*', 'nextBillingDate', 'deliveryPrice'],
  subscription_lines_updated: ['lines.*', 'discounts.*'],
  subscription_discount_applied: ['discounts.*'],
  subscription_delivery_updated: ['deliveryPrice'],
};

/** Applies a change of the service. `concurrentChanges`: the group of concurrent changes, including this one. */
export function applyChange(
  stateBefore: RecordedState,
  entry: EventRecord,
  concurrentChanges: readonly Pick<EventRecord, 'id' | 'changes'>[],
): AppliedChange {
  const endedAtMs = entry.endedAtMs ?? entry.createdAtMs;
  if (entry.outcome === 'UNKNOWN') {
    const recordedState = withUnobservedEffects(stateBefore, entry, possiblyChangedPatterns(entry));
    return { state: recordedState, externalSteps: [], changes: entry.changes, isReported: true };
  }
  // A new interval restarts the orders. The entry's facts of orders follow from that.
  let nextState = areBillingCyclesRescheduled(entry)
    ? withUnknownFacts(stateBefore, 'billingCycles.*')
    : stateBefore;
  const externalTransitions: FactTransition[] = [];
  const entryChanges: FactChange[] = [];
  for (const fact of entry.changes) {
    if (findFactKind(fact.field) === undefined) entryChanges.push(fact);
    else if (stateBefore.observedFromMs <= endedAtMs) {
      const otherChanges = concurrentChanges.filter(({ id }) => id !== entry.id);
      const appliedFact = applyFactChange(nextState, fact, { entry, stateBefore, otherChanges });
      nextState = appliedFact.state;
      externalTransitions.push(...appliedFact.externalSteps);
      entryChanges.push(...appliedFact.serviceChanges);
    }
  }
  const hadFacts = entry.changes.some(({ field }) => findFactKind(field) !== undefined);
  const isChangeReported = !hadFacts || entryChanges.some(({ field }) => findFactKind(field) !== undefined);
  return {
    state: withUnobservedEffects(nextState, entry, unstatedEffectPatterns(entry)),
    externalSteps: externalTransitions,
    changes: entryChanges,
    isReported: isChangeReported,
  };
}

type ChangeApplicationContext = {
  readonly entry: EventRecord;
  /** The recorded state before the change. */
  readonly stateBefore: RecordedState;
  /** The other concurrent changes. */
  readonly otherChanges: readonly Pick<EventRecord, 'changes'>[];
};
type AppliedFact = Pick<AppliedChange, 'state' | 'externalSteps'> & {
  readonly serviceChanges: readonly FactChange[];
};

function applyFactChange(
  state: RecordedState,
  fact: FactChange,
  context: ChangeApplicationContext,
): AppliedFact {
  const { field, before, after } = fact;
  const { contract } = state;
  const hasNoValues = isReportedWithoutValues(field);
  if (hasNoValues && before === after && !isAttributeNamesFact(fact)) {
    const stateAfter =
      isContractContentField(field) || field === 'deliveryMethod' ? withUnknownFacts(state, field) : state;
    return { state: stateAfter, externalSteps: [], serviceChanges: [fact] };
  }
  const recordedText = recordedFactText(state, field);
  const comparableBefore = hashUnlessReported(contract, field, before);
  const comparableAfter = hashUnlessReported(contract, field, after);
  const isExternalChange =
    recordedText !== undefined &&
    !isSameFactText(field, recordedText, comparableBefore) &&
    provesExternalChange(context, fact);
  // No external change is derived for an erased customer's contract, because its values are not recorded any more.
  const externalSteps =
    isExternalChange && !state.isForgotten
      ? [
          hasNoValues
            ? { field, before: null, after: null }
            : { field, before: recordedText, after: comparableBefore },
        ]
      : [];
  const textBefore = isExternalChange || recordedText === undefined ? comparableBefore : recordedText;
  const isValueChanged =
    !isSameFactText(field, textBefore, comparableAfter) || (hasNoValues && before === after);
  const serviceChanges = isValueChanged ? [hasNoValues ? fact : { ...fact, before: textBefore }] : [];
  return { state: withRecordedFact(state, field, after), externalSteps, serviceChanges };
}

/** Whether the fact is the names of the custom attributes, which are known even if only attributes' values changed. */
function isAttributeNamesFact({ field, after }: FactChange): boolean {
  return field === 'customAttributes' && after !== null;
}

/** Whether a starting value that differs from the recorded one proves an external change: it must have been read later. */
function provesExternalChange(
  { entry, stateBefore, otherChanges }: ChangeApplicationContext,
  { field, before: factBefore }: FactChange,
): boolean {
  const lastKnownAtMs = Math.max(stateBefore.observedUntilMs, stateBefore.ownEndedAtMs);
  if (lastKnownAtMs >= (entry.readAtMs ?? entry.createdAtMs)) return false;
  // The platform may drop the date of an order that was skipped.
  if (isUnmovedDateOfSkippedOrder(stateBefore, field, factBefore)) return false;
  return !otherChanges.some((other) => {
    const factOfOther = findFactChange(other.changes, field);
    return factOfOther !== undefined && isSameFactText(field, factOfOther.after, factBefore);
  });
}

function areBillingCyclesRescheduled({ changes }: EventRecord): boolean {
  return ['billingPolicy', 'deliveryPolicy'].some((field) => findFactChange(changes, field) !== undefined);
}

/** Returns the patterns of the facts that a change with an unknown outcome may have set. */
function possiblyChangedPatterns(entry: EventRecord): string[] {
  const changedPatterns = entry.changes.map(({ field }) =>
    findFactKind(field) === undefined ? `${field}.*` : field,
  );
  // A change of the lines may change the delivery price, which only the entry of a known outcome states.
  const deliveryPatterns =
    entry.action === 'subscription_lines_updated' ? ['deliveryPrice', 'deliveryMethod'] : [];
  return [...changedPatterns, ...deliveryPatterns, ...unstatedEffectPatterns(entry)];
}

function unstatedEffectPatterns({ action, details, changes }: EventRecord): string[] {
  const genericPatterns = changes.flatMap(({ field }) =>
    /^(?:lines|discounts)$/.test(field) ? [`${field}.*`] : [],
  );
  const cyclePatterns = details.movesOrder === true ? ['billingCycles.*'] : [];
  const { billingCycleIndex: cycleIndex } = details;
  if (action === 'billing_cycle_edited' || action === 'billing_cycle_edits_deleted') {
    cyclePatterns.push(typeof cycleIndex === 'number' ? `billingCycles.${cycleIndex}.*` : 'billingCycles.*');
  }
  return [...genericPatterns, ...cyclePatterns, ...(UNSTATED_EFFECTS_BY_ACTION[action as EventAction] ?? [])];
}

function withUnobservedEffects(
  state: RecordedState,
  entry: EventRecord,
  patterns: readonly string[],
): RecordedState {
  const endedAtMs = entry.endedAtMs ?? entry.createdAtMs;
  const { number, actor } = entry;
  const unobservedEffects: UnobservedEffect[] = patterns.map((pattern) => ({
    pattern,
    number,
    actor,
    endedAtMs,
  }));
  // If several changes may have set a fact, it is attributed to the newest one.
  const otherUncertainFacts = state.uncertain.filter((effect) => !patterns.includes(effect.pattern));
  return {
    ...state,
    ownEndedAtMs: Math.max(state.ownEndedAtMs, endedAtMs),
    uncertain: state.isForgotten ? [] : [...unobservedEffects, ...otherUncertainFacts],
  };
}
