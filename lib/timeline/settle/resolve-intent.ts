/**
 * Determines whether an open intent took effect: by the starting values of later changes through the service, else by
 * the contract's current state.
 */
import type { PlatformError } from '../../platform/admin-api/admin-response.ts';
import type { CommonEventFields } from '../event-record.ts';
import {
  type FactChange,
  findFactChange,
  haveSameFactValue,
  isSameFactText,
  selectComparableChanges,
} from '../facts.ts';
import { MAX_INTENT_IN_FLIGHT_MS } from '../intent.ts';
import { CONTRACT_CONTENT_SELECTION, type ContractContent, contentFactText } from './contract-content.ts';

export type IntentVerdict = 'done' | 'not done' | 'unknown';

export type IntentEvidence = {
  /** The contract's current state; undefined when it could not be read, or the contract does not exist. */
  readonly state: CurrentContractState | undefined;
  /** Changes of the contract that started after the intent, settled or open, oldest first. */
  readonly laterChanges: readonly Pick<CommonEventFields, 'createdAtMs' | 'changes'>[];
  /** Changes that were made and started up to `MAX_INTENT_IN_FLIGHT_MS` before the intent, oldest first. */
  readonly earlierChanges: readonly Pick<CommonEventFields, 'changes'>[];
};

/**
 * Resolves an intent. `done`: all facts have the intended values, and only this intent explains them. `not done`: all
 * facts have the values from before.
 */
export function resolveIntent(
  intent: Pick<CommonEventFields, 'createdAtMs' | 'changes'>,
  evidence: IntentEvidence,
): IntentVerdict {
  const factEvidence = selectComparableChanges(intent).map((fact) =>
    evaluateFactEvidence(fact, intent.createdAtMs, evidence),
  );
  const [firstEvidence, ...otherEvidence] = factEvidence;
  if (firstEvidence === undefined || otherEvidence.some((other) => other.shows !== firstEvidence.shows))
    return 'unknown';
  if (firstEvidence.shows === 'before') return 'not done';
  if (firstEvidence.shows !== 'after') return 'unknown';
  const isExternal =
    factEvidence.some(({ isFromCurrentState }) => isFromCurrentState) &&
    wasChangedExternally(intent, evidence);
  return isExternal ? 'unknown' : 'done';
}

/** Whether all intended values are in effect, or another entry records one of them: the client has what it requested. */
export function areIntendedValuesInEffect(
  intent: Pick<CommonEventFields, 'changes'>,
  { state, laterChanges, earlierChanges }: IntentEvidence,
): boolean {
  const comparableChanges = selectComparableChanges(intent);
  const areInEffect = comparableChanges.every(({ field, after }) => {
    const text = state?.textOf(field);
    return text !== undefined && isSameFactText(field, text, after);
  });
  const doneChanges = [...earlierChanges, ...laterChanges].filter(
    (one) => 'outcome' in one && one.outcome === 'DONE',
  );
  return (
    comparableChanges.length > 0 && (areInEffect || doneChanges.some((one) => haveSameFactValue(intent, one)))
  );
}

/** Whether a fact has the intended value, or had it until a later change. */
export function isIntendedValueInEffect(
  fact: FactChange,
  { createdAtMs }: Pick<CommonEventFields, 'createdAtMs'>,
  evidence: IntentEvidence,
): boolean {
  return evaluateFactEvidence(fact, createdAtMs, evidence).shows === 'after';
}

type FactEvidence = { readonly shows: 'before' | 'after' | 'neither'; readonly isFromCurrentState: boolean };

function evaluateFactEvidence(fact: FactChange, createdAtMs: number, evidence: IntentEvidence): FactEvidence {
  const laterEvidence = evaluateByLaterChanges(fact, createdAtMs, evidence);
  if (laterEvidence.shows !== 'after') return laterEvidence;
  const earlierChangesOfFact = evidence.earlierChanges.flatMap(
    ({ changes }) => findFactChange(changes, fact.field) ?? [],
  );
  const lastEarlierChange = earlierChangesOfFact.at(-1);
  // The earlier change set the same value, after the contract was read for this intent: so its entry records the value.
  const isLastRecordedChange =
    lastEarlierChange !== undefined && isSameFactText(fact.field, lastEarlierChange.after, fact.after);
  return isLastRecordedChange ? { shows: 'before', isFromCurrentState: false } : laterEvidence;
}

function evaluateByLaterChanges(
  fact: FactChange,
  createdAtMs: number,
  { state, laterChanges }: IntentEvidence,
): FactEvidence {
  for (const { changes, createdAtMs: laterAtMs } of laterChanges) {
    const factChange = findFactChange(changes, fact.field);
    if (factChange === undefined) continue;
    const laterChangeShows = compareTextWithFact(fact, factChange.before);
    // If both changes set the same value, the entry of the later one records it.
    const setsSameValue =
      laterChangeShows === 'before' && isSameFactText(fact.field, factChange.after, fact.after);
    const mayHaveReadEarlierState =
      laterAtMs - createdAtMs < MAX_INTENT_IN_FLIGHT_MS && laterChangeShows === 'before' && !setsSameValue;
    return { shows: mayHaveReadEarlierState ? 'neither' : laterChangeShows, isFromCurrentState: false };
  }
  const text = state?.textOf(fact.field);
  return {
    shows: text === undefined ? 'neither' : compareTextWithFact(fact, text),
    isFromCurrentState: true,
  };
}

function compareTextWithFact(
  { field, before, after }: FactChange,
  text: string | null,
): FactEvidence['shows'] {
  if (isSameFactText(field, text, after)) return 'after';
  return isSameFactText(field, text, before) ? 'before' : 'neither';
}

/** Whether the contract was changed when no change of the service was in progress. */
function wasChangedExternally(
  { createdAtMs }: Pick<CommonEventFields, 'createdAtMs'>,
  { state, laterChanges }: IntentEvidence,
): boolean {
  const lastServiceChangeAtMs = laterChanges.reduce(
    (lastMs, one) => Math.max(lastMs, one.createdAtMs),
    createdAtMs,
  );
  return state !== undefined && state.updatedAtMs > lastServiceChangeAtMs + MAX_INTENT_IN_FLIGHT_MS;
}

export type CurrentContractState = {
  /** The platform's time of the contract's last change. */
  readonly updatedAtMs: number;
  /** Returns the current text of a fact, null when it has no value; undefined when it cannot be determined. */
  readonly textOf: (field: string) => string | null | undefined;
};

/** The field of a pause's end, which this service stores, and not the platform. */
export const PAUSE_END_FIELD = 'currentPause.resumesAt';
const CYCLE_FIELD_PATTERN = /^billingCycles\.(\d{1,9})\.(skipped|billingAttemptExpectedDate|status)$/;
const CYCLE_SELECTION = 'skipped billingAttemptExpectedDate status';

/** Builds the document that reads a contract's content, and the billing cycles that the fields name. Variable: `id`. */
export function buildCurrentStateDocument(fields: Iterable<string>): string {
  const fieldNames = [...fields];
  const cycleIndices = new Set(fieldNames.flatMap((field) => CYCLE_FIELD_PATTERN.exec(field)?.[1] ?? []));
  const cycles = [...cycleIndices].sort().map(
    (index) => `cycle${index}: subscriptionBillingCycle(billingCycleInput: { contractId: $id,
      selector: { index: ${index} } }) { ${CYCLE_SELECTION} }`,
  );
  const contract = `contract: subscriptionContract(id: $id) { id updatedAt ${CONTRACT_CONTENT_SELECTION} }`;
  return `query($id: ID!) { ${contract} ${cycles.join(' ')} }`;
}

type ResponseData = Readonly<Record<string, unknown>>;

type CurrentStateResponse = {
  readonly data: ResponseData;
  /** The errors next to the data: a field that they name is unknown, although it is null in the data. */
  readonly errors?: readonly PlatformError[];
  /** The end of the contract's pause. */
  readonly pauseEnd?: string | null;
};

/** Converts the response to `buildCurrentStateDocument`; undefined when the contract does not exist. */
export function toCurrentContractState({
  data,
  errors = [],
  pauseEnd = null,
}: CurrentStateResponse): CurrentContractState | undefined {
  const contract = (data.contract ?? undefined) as (ContractContent & { updatedAt: string }) | undefined;
  if (contract === undefined) return undefined;
  const unknownFields = new Set(errors.flatMap(({ path = [] }) => (path[0] === 'contract' ? [path[1]] : [])));
  return {
    updatedAtMs: Date.parse(contract.updatedAt),
    textOf(field) {
      if (field === PAUSE_END_FIELD) return pauseEnd;
      const cycleMatch = CYCLE_FIELD_PATTERN.exec(field);
      if (cycleMatch === null)
        return unknownFields.has(field.split('.')[0]) ? undefined : contentFactText(contract, field);
      return cycleFactText(data[`cycle${cycleMatch[1]}`], cycleMatch[2]);
    },
  };
}

function cycleFactText(cycle: unknown, factName: string | undefined): string | undefined {
  const factValue = (cycle as ResponseData | null | undefined)?.[factName ?? ''];
  return factValue === undefined || factValue === null ? undefined : String(factValue);
}
