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
  selectChangesWithValues,
} from '../facts.ts';
import { MAX_INTENT_IN_FLIGHT_MS } from '../intent.ts';
import { CONTRACT_CONTENT_SELECTION, type ContractContent, contentFactText } from './contract-content.ts';

export type IntentVerdict = 'done' | 'not done' | 'unknown';

export type IntentEvidence = {
  /** Undefined when it could not be read, or the contract does not exist. */
  readonly state: CurrentContractState | undefined;
  /** Changes of the contract that started after the intent, settled or open, oldest first. */
  readonly later: readonly Pick<CommonEventFields, 'createdAtMs' | 'changes'>[];
  /** Changes that were made and started up to `MAX_INTENT_IN_FLIGHT_MS` before the intent, oldest first. */
  readonly earlier: readonly Pick<CommonEventFields, 'changes'>[];
};

/**
 * Resolves an intent. `done`: all facts have the intended values, and only this intent explains them. `not done`: all
 * facts have the values from before.
 */
export function resolveIntent(
  intent: Pick<CommonEventFields, 'createdAtMs' | 'changes'>,
  evidence: IntentEvidence,
): IntentVerdict {
  const factEvidence = selectChangesWithValues(intent).map((fact) =>
    evaluateFactEvidence(fact, intent.createdAtMs, evidence),
  );
  const [first, ...others] = factEvidence;
  if (first === undefined || others.some((other) => other.shows !== first.shows)) return 'unknown';
  if (first.shows === 'before') return 'not done';
  if (first.shows !== 'after') return 'unknown';
  const isExternal = factEvidence.some(({ isState }) => isState) && wasChangedExternally(intent, evidence);
  return isExternal ? 'unknown' : 'done';
}

/** Whether the intended values are in effect, or another entry records them: the client has what it requested. */
export function areIntendedValuesInEffect(
  intent: Pick<CommonEventFields, 'changes'>,
  { state, later, earlier }: IntentEvidence,
): boolean {
  const comparableFacts = selectChangesWithValues(intent);
  const areInEffect = comparableFacts.every(({ field, after }) => {
    const text = state?.textOf(field);
    return text !== undefined && isSameFactText(field, text, after);
  });
  const doneChanges = [...earlier, ...later].filter((one) => 'outcome' in one && one.outcome === 'DONE');
  return (
    comparableFacts.length > 0 && (areInEffect || doneChanges.some((one) => haveSameFactValue(intent, one)))
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

type FactEvidence = { readonly shows: 'before' | 'after' | 'neither'; readonly isState: boolean };

function evaluateFactEvidence(fact: FactChange, createdAtMs: number, evidence: IntentEvidence): FactEvidence {
  const laterEvidence = evaluateByLaterChanges(fact, createdAtMs, evidence);
  if (laterEvidence.shows !== 'after') return laterEvidence;
  const ofFact = evidence.earlier.flatMap(({ changes }) => findFactChange(changes, fact.field) ?? []);
  const last = ofFact.at(-1);
  // The earlier change was made after the contract was read for this one, so its entry records the value.
  const isLastRecordedChange = last !== undefined && isSameFactText(fact.field, last.after, fact.after);
  return isLastRecordedChange ? { shows: 'before', isState: false } : laterEvidence;
}

function evaluateByLaterChanges(
  fact: FactChange,
  createdAtMs: number,
  { state, later }: IntentEvidence,
): FactEvidence {
  for (const { changes, createdAtMs: laterAtMs } of later) {
    const factChange = findFactChange(changes, fact.field);
    if (factChange === undefined) continue;
    const comparison = compareTextWithFact(fact, factChange.before);
    // If both changes set the same value, the entry of the later one records it.
    const isSame = comparison === 'before' && isSameFactText(fact.field, factChange.after, fact.after);
    const isTooSoon = laterAtMs - createdAtMs < MAX_INTENT_IN_FLIGHT_MS && comparison === 'before' && !isSame;
    return { shows: isTooSoon ? 'neither' : comparison, isState: false };
  }
  const text = state?.textOf(fact.field);
  return { shows: text === undefined ? 'neither' : compareTextWithFact(fact, text), isState: true };
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
  { state, later }: IntentEvidence,
): boolean {
  const lastOwnAtMs = later.reduce((lastMs, one) => Math.max(lastMs, one.createdAtMs), createdAtMs);
  return state !== undefined && state.updatedAtMs > lastOwnAtMs + MAX_INTENT_IN_FLIGHT_MS;
}

export type CurrentContractState = {
  /** The platform's time of the contract's last change. */
  readonly updatedAtMs: number;
  /** Returns the current text of a fact, null when it has no value; undefined when it cannot be determined. */
  readonly textOf: (field: string) => string | null | undefined;
};

/** Stored by this service, not by the platform. */
export const PAUSE_END_FIELD = 'currentPause.resumesAt';
const CYCLE_FIELD_PATTERN = /^billingCycles\.(\d{1,9})\.(skipped|billingAttemptExpectedDate|status)$/;
const CYCLE_SELECTION = 'skipped billingAttemptExpectedDate status';

/** Returns the document that reads a contract, and the billing cycles of these fields. Variable: `id`. */
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
  /** Errors next to the data: the fields that they name are unknown, although they are null. */
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
      const cycle = CYCLE_FIELD_PATTERN.exec(field);
      if (cycle === null)
        return unknownFields.has(field.split('.')[0]) ? undefined : contentFactText(contract, field);
      return cycleFactText(data[`cycle${cycle[1]}`], cycle[2]);
    },
  };
}

function cycleFactText(cycle: unknown, name: string | undefined): string | undefined {
  const factValue = (cycle as ResponseData | null | undefined)?.[name ?? ''];
  return factValue === undefined || factValue === null ? undefined : String(factValue);
}
