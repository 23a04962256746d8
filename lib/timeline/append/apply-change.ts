/**
 * Applies a change of the service to the recorded state. If its starting value differs from the recorded one, an external
 * change came before it; its own step starts from the value that is then recorded.
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
  isDateOfSkippedOrder,
  type RecordedState,
  recordedFactText,
  type UnobservedEffect,
  withRecordedFact,
  withUnknownFacts,
} from './recorded-state.ts';

export type AppliedChange = {
  readonly state: RecordedState;
  /** The external changes that must have happened before this change, as steps. */
  readonly external: readonly FactTransition[];
  /** The entry's changes as they are reported. */
  readonly changes: readonly FactChange[];
  /** False when other changes have reported all facts. */
  readonly isReported: boolean;
};

/** Effects that an operation does not state: until they are observed, they are attributed to it. */
const UNSTATED_EFFECTS_BY_ACTION: Readonly<Partial<Record<EventAction, readonly string[]>>> = {
  subscription_interval_updated: ['lines.*', 'discounts.*', 'nextBillingDate', 'deliveryPrice'],
  subscription_lines_updated: ['lines.*', 'discounts.*'],
  subscription_discount_applied: ['discounts.*'],
  subscription_delivery_updated: ['deliveryPrice'],
};

/** Applies a change. `group`: the concurrent changes, including this one. */
export function applyChange(
  before: RecordedState,
  entry: EventRecord,
  group: readonly Pick<EventRecord, 'id' | 'changes'>[],
): AppliedChange {
  const endedAtMs = entry.endedAtMs ?? entry.createdAtMs;
  if (entry.outcome === 'UNKNOWN') {
    const recordedState = withUnobservedEffects(before, entry, possiblyChangedPatterns(entry));
    return { state: recordedState, external: [], changes: entry.changes, isReported: true };
  }
  // The new interval restarts the orders; the entry's facts of orders follow from it.
  let nextState = areBillingCyclesRescheduled(entry) ? withUnknownFacts(before, 'billingCycles.*') : before;
  const externalTransitions: FactTransition[] = [];
  const entryChanges: FactChange[] = [];
  for (const fact of entry.changes) {
    if (findFactKind(fact.field) === undefined) entryChanges.push(fact);
    else if (before.observedFromMs <= endedAtMs) {
      const otherChanges = group.filter(({ id }) => id !== entry.id);
      const appliedFact = applyFactChange(nextState, fact, { entry, before, others: otherChanges });
      nextState = appliedFact.state;
      externalTransitions.push(...appliedFact.external);
      entryChanges.push(...appliedFact.serviceChanges);
    }
  }
  const hadFacts = entry.changes.some(({ field }) => findFactKind(field) !== undefined);
  const isChangeReported = !hadFacts || entryChanges.some(({ field }) => findFactKind(field) !== undefined);
  return {
    state: withUnobservedEffects(nextState, entry, unstatedEffectPatterns(entry)),
    external: externalTransitions,
    changes: entryChanges,
    isReported: isChangeReported,
  };
}

type ChangeApplicationContext = {
  readonly entry: EventRecord;
  /** The state before the change. */
  readonly before: RecordedState;
  /** The other concurrent changes. */
  readonly others: readonly Pick<EventRecord, 'changes'>[];
};
type AppliedFact = Pick<AppliedChange, 'state' | 'external'> & {
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
    const next =
      isContractContentField(field) || field === 'deliveryMethod' ? withUnknownFacts(state, field) : state;
    return { state: next, external: [], serviceChanges: [fact] };
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
  return { state: withRecordedFact(state, field, after), external: externalSteps, serviceChanges };
}

/** The names of custom attributes are known, even if only their values changed. */
function isAttributeNamesFact({ field, after }: FactChange): boolean {
  return field === 'customAttributes' && after !== null;
}

/** Whether the starting value proves an external change: it was read after the recorded value was known. */
function provesExternalChange(
  { entry, before, others }: ChangeApplicationContext,
  { field, before: factBefore }: FactChange,
): boolean {
  const lastKnownAtMs = Math.max(before.observedUntilMs, before.ownEndedAtMs);
  if (lastKnownAtMs >= (entry.readAtMs ?? entry.createdAtMs)) return false;
  // The platform may drop the date of an order that was skipped.
  if (isDateOfSkippedOrder(before, field)) return false;
  return !others.some((other) => {
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
  // Other lines may change the delivery price; the entry of a known outcome states it.
  const delivery = entry.action === 'subscription_lines_updated' ? ['deliveryPrice', 'deliveryMethod'] : [];
  return [...changedPatterns, ...delivery, ...unstatedEffectPatterns(entry)];
}

function unstatedEffectPatterns({ action, details, changes }: EventRecord): string[] {
  const genericPatterns = changes.flatMap(({ field }) =>
    /^(?:lines|discounts)$/.test(field) ? [`${field}.*`] : [],
  );
  const cycles = details.movesOrder === true ? ['billingCycles.*'] : [];
  const { billingCycleIndex: index } = details;
  if (action === 'billing_cycle_edited' || action === 'billing_cycle_edits_deleted') {
    cycles.push(typeof index === 'number' ? `billingCycles.${index}.*` : 'billingCycles.*');
  }
  return [...genericPatterns, ...cycles, ...(UNSTATED_EFFECTS_BY_ACTION[action as EventAction] ?? [])];
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
  // The newest owner of a pattern counts.
  const otherUncertainFacts = state.uncertain.filter((one) => !patterns.includes(one.pattern));
  return {
    ...state,
    ownEndedAtMs: Math.max(state.ownEndedAtMs, endedAtMs),
    uncertain: state.isForgotten ? [] : [...unobservedEffects, ...otherUncertainFacts],
  };
}
