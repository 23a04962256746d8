/** Compares an observation with the recorded state: each fact that differs is a step, a fact that was not known is set silently. */
import { isSameText } from '../facts.ts';
import { isContentField } from '../settle/contract-content.ts';
import type { CycleFacts, Observation } from './observation.ts';
import {
  observedCycleText,
  type RecordedState,
  recordedTextOf,
  toRecordedCycle,
  withFact,
} from './recorded-state.ts';

export type FactStep = {
  readonly field: string;
  readonly before: string | null;
  readonly after: string | null;
};

export type Comparison = {
  /** The state with all observed facts. */
  readonly state: RecordedState;
  readonly steps: readonly FactStep[];
};

/** All orders are others: their facts begin anew. */
export const ALL_CYCLES = 'billingCycles';
const PAUSE_END = 'currentPause.resumesAt';
/** The payment method is the same one, and pays with something else. */
export const METHOD_ITSELF = 'customerPaymentMethod.instrument';

/** The steps from the recorded state to the observed one. */
export function compareObservation(state: RecordedState, observation: Observation): Comparison {
  const ofContract = compareFacts(state, observation);
  const ofCycles = compareCycles(ofContract.state, observation);
  return { state: ofCycles.state, steps: [...ofContract.steps, ...ofCycles.steps] };
}

/** The observed text of a fact, null where it has none; undefined: the observation does not tell it. */
export function observedTextOf(observation: Observation, field: string): string | null | undefined {
  const [root = '', index = '', name = ''] = field.split('.');
  if (root === 'billingCycles') {
    const cycle = observation.cycles[index];
    return cycle && observedCycleText(cycle, name);
  }
  if (observation.withheld.includes(root)) return undefined;
  const text = observation.facts[field];
  return text === undefined && observation.isWhole && isObservable(field) ? null : text;
}

/** Whether the platform tells the fact: the end of a pause is known here alone. */
export function isObservable(field: string): boolean {
  return isContentField(field) || field === 'deliveryMethod';
}

function compareFacts(before: RecordedState, observation: Observation): Comparison {
  const recorded = Object.keys(before.facts).filter(isObservable);
  const named = Object.keys(observation.facts).filter(isObservable);
  const fields = new Set([...(observation.isWhole ? recorded : []), ...named]);
  let state = before;
  const steps: FactStep[] = [];
  for (const field of fields) {
    const [was, is] = [recordedTextOf(before, field), observedTextOf(observation, field)];
    if (is === undefined || (was !== undefined && isSameText(field, was, is))) continue;
    if (was !== undefined) steps.push({ field, before: was, after: is });
    state = withObserved(state, field, is);
  }
  const pauseEnd = recordedTextOf(before, PAUSE_END);
  // The platform does not store it: a contract that goes on has no end of a pause.
  if (
    typeof pauseEnd === 'string' &&
    steps.some((one) => one.field === 'status' && one.before === 'PAUSED')
  ) {
    steps.push({ field: PAUSE_END, before: pauseEnd, after: null });
    state = withFact(state, PAUSE_END, null);
  }
  if (isReplaced(before, observation)) steps.push({ field: METHOD_ITSELF, before: null, after: null });
  return { state: completed(state, observation), steps };
}

/** An observed text is recorded as it is: facts without values are hashed already. */
function withObserved(state: RecordedState, field: string, text: string | null): RecordedState {
  const { [field]: _before, ...others } = state.facts;
  return { ...state, facts: text === null ? others : { ...others, [field]: text } };
}

function completed(state: RecordedState, { isWhole, withheld }: Observation): RecordedState {
  if (!isWhole) return state;
  const unknown = state.isComplete
    ? state.unknown.filter((pattern) => withheld.some((root) => pattern.startsWith(root)))
    : withheld.map((root) => `${root}*`);
  return { ...state, isComplete: true, unknown };
}

/** Whether the same payment method pays with something else. */
export function isReplaced(
  { paymentMethod: before }: Pick<RecordedState, 'paymentMethod'>,
  { paymentMethod: now }: Pick<Observation, 'paymentMethod'>,
): boolean {
  if (before?.instrument === undefined || now?.instrument === undefined) return false;
  return before.id === now.id && before.instrument !== now.instrument;
}

function compareCycles(state: RecordedState, observation: Observation): Comparison {
  const { cycles, cyclesUntil } = observation;
  if (cyclesUntil === 0) return { state, steps: [] };
  const recorded = Object.fromEntries(
    Object.entries(cycles).map(([index, cycle]) => [index, toRecordedCycle(cycle)]),
  );
  const later = Object.entries(state.cycles).filter(([index, { end }]) => isLater(observation, index, end));
  const next = { ...state, areCyclesKnown: true, cycles: { ...Object.fromEntries(later), ...recorded } };
  if (!state.areCyclesKnown) return { state: next, steps: [] };
  const isRestarted = Object.entries(cycles).some(([index, { end }]) => {
    const known = state.cycles[index]?.end;
    return known !== undefined && known !== end;
  });
  const steps = isRestarted
    ? [{ field: ALL_CYCLES, before: null, after: null }]
    : Object.entries(cycles).flatMap(([index, cycle]) => cycleSteps(state, index, cycle));
  return { state: isRestarted ? { ...next, cycles: recorded } : next, steps };
}

/** A page reads the next cycles alone; what lies behind them stays as it was recorded. */
function isLater({ cycles, cyclesUntil }: Observation, index: string, end: number | undefined): boolean {
  const highest = Math.max(...Object.keys(cycles).map(Number), 0);
  return end === undefined ? Number(index) > highest : end > cyclesUntil;
}

const CYCLE_FACTS = ['skipped', 'billingAttemptExpectedDate', 'editedContract'] as const;

/** A cycle that was not recorded enters the horizon: it was not edited before. */
function cycleSteps(state: RecordedState, index: string, cycle: CycleFacts): FactStep[] {
  const before = { ...state, cycles: { [index]: { end: cycle.end, ...state.cycles[index] } } };
  return CYCLE_FACTS.flatMap((name) => {
    const field = `billingCycles.${index}.${name}`;
    const [was = null, is] = [recordedTextOf(before, field), observedCycleText(cycle, name)];
    return was === is ? [] : [{ field, before: was, after: is }];
  });
}
