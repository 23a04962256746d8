/** Applies an observation to the recorded state. Differences are external changes, or unstated effects of own changes. */
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

/** The clocks of two processes differ by less, and an eventually consistent reading is not older. */
export const MAX_CLOCK_DIFFERENCE_MS = 5_000;
/** A reading that starts later than this after the last one is not older, even if the platform's counters are lower. */
const MAX_CONCURRENT_READING_MS = 900_000;

/**
 * Whether the observation may be older than the recorded state, or concurrent with a change of the service.
 * `changes`: those in the queue; an open change has no end.
 */
export function isObservationOutdated(
  state: RecordedState,
  observation: Observation,
  changes: readonly CommonEventFields[],
): boolean {
  const { startedAtMs, endedAtMs, updatedAtMs, revisionId } = observation;
  const isStale = updatedAtMs < state.updatedAtMs || BigInt(revisionId || 0) < BigInt(state.revisionId || 0);
  const isReadBeforeState =
    startedAtMs < state.observedUntilMs ||
    (isStale && startedAtMs < state.observedUntilMs + MAX_CONCURRENT_READING_MS) ||
    startedAtMs - MAX_CLOCK_DIFFERENCE_MS <= state.ownEndedAtMs;
  return (
    isReadBeforeState ||
    changes.some(
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

/** Returns the state after the observation, and external entries. `isCreatedByService`: an own entry reports the creation. */
export function applyObservation(
  before: RecordedState,
  observation: Observation,
  isCreatedByService: boolean,
): { readonly state: RecordedState; readonly entries: readonly EventRecord[] } {
  const isCreated = !before.isKnown && observation.isNew === true && !isCreatedByService;
  const externalFinding = toExternalChangeFinding(before, observation);
  if (observation.isForgotten) {
    const entries = isCreated ? [createExternalCreationEntry(before, { ...externalFinding, steps: [] })] : [];
    return { state: toErasedState(before, observation), entries };
  }
  const stateToCompare = before.isForgotten ? toStateAfterErasure(before) : before;
  const comparison = compareObservation(stateToCompare, observation);
  const observedState = withObservedTimes(comparison.state, observation);
  if (isCreated) {
    const creationFacts = listCreationFacts(stateToCompare, comparison.state);
    return {
      state: observedState,
      entries: [createExternalCreationEntry(stateToCompare, { ...externalFinding, steps: creationFacts })],
    };
  }
  const externalSteps = before.isForgotten ? [] : comparison.steps;
  return {
    state: observedState,
    entries: createExternalEntries(stateToCompare, { ...externalFinding, steps: externalSteps }),
  };
}

/** Returns all facts of a contract that is reported as created; `before` is its recorded state, usually empty. */
export function listCreationFacts(before: RecordedState, after: RecordedState): FactTransition[] {
  return Object.entries(after.facts)
    .map(([field, text]) => ({ field, before: before.facts[field] ?? null, after: text }))
    .filter((step) => step.before !== step.after);
}

function toExternalChangeFinding(
  before: RecordedState,
  observation: Observation,
): Omit<ExternalChangeFinding, 'steps'> {
  const { updatedAtMs, startedAtMs, revisionId, paymentMethod } = observation;
  const lastKnownAtMs = Math.max(before.observedUntilMs, before.ownEndedAtMs);
  const isChangedBetweenReads = updatedAtMs > lastKnownAtMs && updatedAtMs < startedAtMs && before.isComplete;
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
  const { customerId: _customer, paymentMethod: _method, ...others } = state;
  return {
    ...others,
    ...{ observedFromMs: startedAtMs, observedUntilMs: endedAtMs, updatedAtMs, revisionId, isKnown: true },
    ...(observation.customerId !== undefined && { customerId: observation.customerId }),
    ...(observation.paymentMethod && { paymentMethod: observation.paymentMethod }),
    ...(namesSinceMs !== undefined && { namesSinceMs }),
    uncertain: state.uncertain.filter((one) => one.endedAtMs >= startedAtMs),
  };
}

/**
 * Returns the state without its facts and the flags of the erasure: recording starts again with the first observation after
 * the tombstone.
 */
function toStateAfterErasure({
  isForgotten: _is,
  forgottenAtMs: _at,
  ...state
}: RecordedState): RecordedState {
  return { ...state, ...EMPTY_SNAPSHOT_FACTS, isComplete: false, observedFromMs: 0 };
}

function toErasedState(before: RecordedState, { startedAtMs, endedAtMs }: Observation): RecordedState {
  const { customerId: _c, paymentMethod: _p, upcomingTold: _u, expiringTold: _e, ...others } = before;
  const { namesSinceMs: _n, forgottenAtMs = startedAtMs, ...state } = others;
  return {
    ...{ ...state, ...(state.isForgotten ? {} : EMPTY_SNAPSHOT_FACTS), isComplete: false, uncertain: [] },
    ...{ observedFromMs: startedAtMs, observedUntilMs: endedAtMs },
    ...{ isKnown: true, isForgotten: true, forgottenAtMs },
  };
}
