/** Applies an observation to the recorded state. Differences are external changes, or unstated effects of the service's. */
import { EMPTY_SNAPSHOT_FACTS } from '../../storage/stream/snapshot-key.ts';
import type { CommonEventFields, EventRecord } from '../event-record.ts';
import { compareObservation, type FactTransition } from './compare-observation.ts';
import {
  createExternalCreationEntry,
  createExternalEntries,
  type ExternalChangeFinding,
} from './create-external-entries.ts';
import { contractObservationId, type Observation } from './observation.ts';
import type { RecordedState } from './recorded-state.ts';

/** More than the clocks of two processes differ, and more than a response of the platform can be out of date. */
export const MAX_CLOCK_DIFFERENCE_MS = 5_000;
/** A reading that starts this long after the last one is newer, even if the platform returned a lower revision with it. */
const MAX_CONCURRENT_READING_MS = 900_000;

/**
 * Whether the observation may be older than the recorded state, or concurrent with a change of the service.
 * `serviceChanges`: the queued changes of the service; an open change has no `endedAtMs`.
 */
export function isObservationOutdated(
  state: RecordedState,
  observation: Observation,
  serviceChanges: readonly CommonEventFields[],
): boolean {
  const { startedAtMs, endedAtMs, updatedAtMs, revisionId } = observation;
  const hasLowerCounters =
    updatedAtMs < state.updatedAtMs || BigInt(revisionId || 0) < BigInt(state.revisionId || 0);
  const mayPrecedeState =
    startedAtMs < state.observedUntilMs ||
    (hasLowerCounters && startedAtMs < state.observedUntilMs + MAX_CONCURRENT_READING_MS) ||
    startedAtMs - MAX_CLOCK_DIFFERENCE_MS <= state.ownEndedAtMs;
  return (
    mayPrecedeState ||
    serviceChanges.some(
      (change) =>
        change.createdAtMs <= endedAtMs + MAX_CLOCK_DIFFERENCE_MS &&
        (change.endedAtMs ?? Infinity) >= startedAtMs - MAX_CLOCK_DIFFERENCE_MS,
    )
  );
}

/** Whether the observation was read before or during the customer's erasure. */
export function isFromBeforeErasure(state: RecordedState, observation: Observation): boolean {
  const isUnerased = observation.isForgotten !== true;
  const erasedAtMs = state.forgottenAtMs ?? 0;
  return (
    state.isForgotten === true && isUnerased && observation.startedAtMs < erasedAtMs + MAX_CLOCK_DIFFERENCE_MS
  );
}

/**
 * Returns the state after the observation, and the entries of external changes. `isCreatedByService`: an entry of the service
 * reports the contract's creation, so no external entry does.
 */
export function applyObservation(
  stateBefore: RecordedState,
  observation: Observation,
  isCreatedByService: boolean,
): { readonly state: RecordedState; readonly entries: readonly EventRecord[] } {
  const isReportedAsCreated = !stateBefore.isKnown && observation.isNew === true && !isCreatedByService;
  const externalFinding = toExternalChangeFinding(stateBefore, observation);
  if (observation.isForgotten) {
    const entries = isReportedAsCreated
      ? [createExternalCreationEntry(stateBefore, { ...externalFinding, steps: [] })]
      : [];
    return { state: toErasedState(stateBefore, observation), entries };
  }
  const stateToCompare = stateBefore.isForgotten ? toStateAfterErasure(stateBefore) : stateBefore;
  const comparison = compareObservation(stateToCompare, observation);
  const observedState = withObservedTimes(comparison.state, observation);
  if (isReportedAsCreated) {
    const creationFacts = listCreationFacts(stateToCompare, comparison.state);
    return {
      state: observedState,
      entries: [createExternalCreationEntry(stateToCompare, { ...externalFinding, steps: creationFacts })],
    };
  }
  const externalSteps = stateBefore.isForgotten ? [] : comparison.steps;
  return {
    state: observedState,
    entries: createExternalEntries(stateToCompare, { ...externalFinding, steps: externalSteps }),
  };
}

/** Returns the facts of a contract that is reported as created: those in which `stateBefore`, usually empty, differs. */
export function listCreationFacts(stateBefore: RecordedState, stateAfter: RecordedState): FactTransition[] {
  return Object.entries(stateAfter.facts)
    .map(([field, text]) => ({ field, before: stateBefore.facts[field] ?? null, after: text }))
    .filter((step) => step.before !== step.after);
}

function toExternalChangeFinding(
  stateBefore: RecordedState,
  observation: Observation,
): Omit<ExternalChangeFinding, 'steps'> {
  const { updatedAtMs, startedAtMs, revisionId, paymentMethod } = observation;
  const lastKnownAtMs = Math.max(stateBefore.observedUntilMs, stateBefore.ownEndedAtMs);
  const isChangedBetweenReads =
    updatedAtMs > lastKnownAtMs && updatedAtMs < startedAtMs && stateBefore.isComplete;
  return {
    id: contractObservationId(observation),
    atMs: startedAtMs,
    ...(isChangedBetweenReads && { contractAtMs: updatedAtMs }),
    revisionId,
    isMethodRevoked: paymentMethod?.isRevoked === true,
  };
}

function withObservedTimes(state: RecordedState, observation: Observation): RecordedState {
  const { startedAtMs, endedAtMs, updatedAtMs, revisionId, namesSinceMs } = observation;
  const { customerId: _customer, paymentMethod: _method, ...otherFields } = state;
  return {
    ...otherFields,
    ...{ observedFromMs: startedAtMs, observedUntilMs: endedAtMs, updatedAtMs, revisionId, isKnown: true },
    ...(observation.customerId !== undefined && { customerId: observation.customerId }),
    ...(observation.paymentMethod && { paymentMethod: observation.paymentMethod }),
    ...(namesSinceMs !== undefined && { namesSinceMs }),
    uncertain: state.uncertain.filter((effect) => effect.endedAtMs >= startedAtMs),
  };
}

/**
 * Returns an erased contract's state as it is recorded again after the tombstone's end: without the flags of the erasure, and
 * without facts, which the first observation sets.
 */
function toStateAfterErasure({
  isForgotten: _is,
  forgottenAtMs: _at,
  ...state
}: RecordedState): RecordedState {
  return { ...state, ...EMPTY_SNAPSHOT_FACTS, isComplete: false, observedFromMs: 0 };
}

function toErasedState(stateBefore: RecordedState, { startedAtMs, endedAtMs }: Observation): RecordedState {
  const { customerId: _c, paymentMethod: _p, upcomingTold: _u, expiringTold: _e, ...others } = stateBefore;
  const { namesSinceMs: _n, forgottenAtMs = startedAtMs, ...state } = others;
  return {
    ...{ ...state, ...(state.isForgotten ? {} : EMPTY_SNAPSHOT_FACTS), isComplete: false, uncertain: [] },
    ...{ observedFromMs: startedAtMs, observedUntilMs: endedAtMs },
    ...{ isKnown: true, isForgotten: true, forgottenAtMs },
  };
}
