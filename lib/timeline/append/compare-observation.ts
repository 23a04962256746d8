/** Compares an observation with the recorded state: each known fact that differs is a step; unknown facts are just recorded. */
import { isSameFactText } from '../facts.ts';
import { isContractContentField } from '../settle/contract-content.ts';
import { PAUSE_END_FIELD } from '../settle/resolve-intent.ts';
import type { CycleFacts, Observation } from './observation.ts';
import {
  observedCycleFactText,
  type RecordedCycle,
  type RecordedState,
  recordedCycleFactText,
  recordedFactText,
  toRecordedCycle,
  withRecordedFact,
  withUnknownFacts,
} from './recorded-state.ts';

export type FactTransition = {
  readonly field: string;
  readonly before: string | null;
  readonly after: string | null;
};

/** `state`: the recorded state with all observed facts. `steps`: the facts that were known and differ. */
export type ObservationComparison = {
  readonly state: RecordedState;
  readonly steps: readonly FactTransition[];
};

/** The field of a step which means that all orders have changed, so that their facts restart. */
export const ALL_CYCLES_FIELD = 'billingCycles';
/** The field of a step which means that the same payment method has another card or account. */
export const PAYMENT_INSTRUMENT_FIELD = 'customerPaymentMethod.instrument';
const CYCLE_FACT_NAMES = ['skipped', 'billingAttemptExpectedDate', 'editedContract'] as const;

/** Returns the steps from the recorded state to the observed one. */
export function compareObservation(state: RecordedState, observation: Observation): ObservationComparison {
  const contractComparison = compareContractFacts(state, observation);
  const cyclesComparison = compareBillingCycles(contractComparison.state, observation);
  return { state: cyclesComparison.state, steps: [...contractComparison.steps, ...cyclesComparison.steps] };
}

/** Returns the observed text of a fact, null when it has no value; undefined when it was not observed. */
export function observedFactText(observation: Observation, field: string): string | null | undefined {
  const [root = '', cycleIndex = '', factName = ''] = field.split('.');
  if (root === 'billingCycles') {
    const cycle = observation.cycles[cycleIndex];
    return cycle && observedCycleFactText(cycle, factName);
  }
  if (observation.withheld.includes(root) || observation.unrecorded?.includes(root)) return undefined;
  const text = observation.facts[field];
  return text === undefined && observation.isWhole && isFactStoredByPlatform(field) ? null : text;
}

/** Whether the platform stores the fact. The end of a pause, for example, is stored by this service alone. */
export function isFactStoredByPlatform(field: string): boolean {
  return isContractContentField(field) || field === 'deliveryMethod';
}

/** Whether the payment method is the same and has another card or account. */
export function isPaymentInstrumentReplaced(
  { paymentMethod: recordedMethod }: Pick<RecordedState, 'paymentMethod'>,
  { paymentMethod: observedMethod }: Pick<Observation, 'paymentMethod'>,
): boolean {
  if (recordedMethod?.instrument === undefined || observedMethod?.instrument === undefined) return false;
  return recordedMethod.id === observedMethod.id && recordedMethod.instrument !== observedMethod.instrument;
}

function compareContractFacts(stateBefore: RecordedState, observation: Observation): ObservationComparison {
  const recordedFields = observation.isWhole ? Object.keys(stateBefore.facts) : [];
  const fieldNames = new Set(
    [...recordedFields, ...Object.keys(observation.facts)].filter(isFactStoredByPlatform),
  );
  const comparedFacts = { ...stateBefore.facts };
  const factSteps: FactTransition[] = [];
  for (const field of fieldNames) {
    const [recordedText, observedText] = [
      recordedFactText(stateBefore, field),
      observedFactText(observation, field),
    ];
    if (
      observedText === undefined ||
      (recordedText !== undefined && isSameFactText(field, recordedText, observedText))
    )
      continue;
    if (recordedText !== undefined) factSteps.push({ field, before: recordedText, after: observedText });
    // An observed text is recorded unchanged: texts of facts without values are hashes already.
    if (observedText === null) delete comparedFacts[field];
    else comparedFacts[field] = observedText;
  }
  let nextState = withObservedCompleteness({ ...stateBefore, facts: comparedFacts }, observation);
  for (const field of observation.unrecorded ?? []) nextState = withUnknownFacts(nextState, field);
  const pauseEnd = recordedFactText(stateBefore, PAUSE_END_FIELD);
  // The platform does not store the end of a pause: a contract that is no longer paused has none.
  if (
    typeof pauseEnd === 'string' &&
    factSteps.some((one) => one.field === 'status' && one.before === 'PAUSED')
  ) {
    factSteps.push({ field: PAUSE_END_FIELD, before: pauseEnd, after: null });
    nextState = withRecordedFact(nextState, PAUSE_END_FIELD, null);
  }
  if (isPaymentInstrumentReplaced(stateBefore, observation))
    factSteps.push({ field: PAYMENT_INSTRUMENT_FIELD, before: null, after: null });
  return { state: nextState, steps: factSteps };
}

function withObservedCompleteness(state: RecordedState, { isWhole, withheld }: Observation): RecordedState {
  if (!isWhole) return state;
  const unknownPatterns = state.isComplete
    ? state.unknown.filter((pattern) => withheld.some((root) => pattern.startsWith(root)))
    : withheld.map((root) => `${root}*`);
  return { ...state, isComplete: true, unknown: unknownPatterns };
}

function compareBillingCycles(state: RecordedState, observation: Observation): ObservationComparison {
  const { cycles: observedCycles, cyclesUntil } = observation;
  if (cyclesUntil === 0) return { state, steps: [] };
  const cycleEntries = Object.entries(observedCycles);
  const cycles = Object.fromEntries(
    cycleEntries.map(([index, cycle]) => [
      index,
      keepDateOfSkippedOrder(toRecordedCycle(cycle), state.cycles[index]),
    ]),
  );
  // A recorded cycle after the observed ones stays recorded: the page contains only the next cycles.
  const highestIndex = Math.max(...Object.keys(observedCycles).map(Number), 0);
  const laterCycleEntries = Object.entries(state.cycles).filter(([index, { end }]) =>
    end === undefined ? Number(index) > highestIndex : end > cyclesUntil,
  );
  const stateAfter = {
    ...state,
    areCyclesKnown: true,
    cycles: { ...Object.fromEntries(laterCycleEntries), ...cycles },
  };
  if (!state.areCyclesKnown) return { state: stateAfter, steps: [] };
  const areCyclesRestarted = cycleEntries.some(([index, { end }]) => {
    const knownEnd = state.cycles[index]?.end;
    return knownEnd !== undefined && knownEnd !== end;
  });
  return areCyclesRestarted
    ? { state: { ...stateAfter, cycles }, steps: [{ field: ALL_CYCLES_FIELD, before: null, after: null }] }
    : {
        state: stateAfter,
        steps: cycleEntries.flatMap(([index, cycle]) => cycleFactTransitions(state, index, cycle)),
      };
}

/**
 * Keeps the recorded date of a skipped order that the platform shows as not moved: it may drop the date with the skip, and the
 * order returns to the date when it is restored.
 */
function keepDateOfSkippedOrder(
  cycle: RecordedCycle,
  recordedCycle: RecordedCycle | undefined,
): RecordedCycle {
  const isSameCycleEnd =
    recordedCycle !== undefined && (recordedCycle.end === undefined || recordedCycle.end === cycle.end);
  const hasLostDate = isSameCycleEnd && isSkippedWithoutDate(cycle) && recordedCycle.date !== undefined;
  return hasLostDate ? { ...cycle, date: recordedCycle.date } : cycle;
}

function isSkippedWithoutDate({ isSkipped, date }: RecordedCycle): boolean {
  return isSkipped === true && date === undefined;
}

/**
 * Returns the steps of one billing cycle. A cycle that was not recorded has come within the period that is read: it counts as
 * not edited before. That a skipped order has no date of its own any more is no step, because the platform may drop the date
 * with the skip.
 */
function cycleFactTransitions(
  { cycles, areCyclesKnown }: RecordedState,
  index: string,
  cycle: CycleFacts,
): FactTransition[] {
  const cycleBefore = { end: cycle.end, ...cycles[index] };
  const observedCycle = toRecordedCycle(cycle);
  if (areCyclesKnown && isSameCycle(cycleBefore, observedCycle)) return [];
  return CYCLE_FACT_NAMES.flatMap((name) => {
    const recordedText = recordedCycleFactText(cycleBefore, name, areCyclesKnown) ?? null;
    const observedText = recordedCycleFactText(observedCycle, name, true) ?? null;
    const isTransitionReported =
      recordedText !== observedText &&
      !(isSkippedWithoutDate(observedCycle) && name === 'billingAttemptExpectedDate');
    return isTransitionReported
      ? [{ field: `billingCycles.${index}.${name}`, before: recordedText, after: observedText }]
      : [];
  });
}

/** Whether all facts of two recorded cycles are the same. */
function isSameCycle(one: RecordedCycle, other: RecordedCycle): boolean {
  return (
    (one.isSkipped === true) === (other.isSkipped === true) &&
    (one.date ?? one.end) === (other.date ?? other.end) &&
    one.editedAt === other.editedAt
  );
}
