/**
 * The recorded state of a contract: the value of each fact after the last event that names it. Only the append step and
 * an erasure write it, on condition that its version is unchanged.
 */
import type { CustomerId } from '../../domain/customer-id.ts';
import { formatPlatformDate, parseInstant } from '../../domain/instant.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import { snapshotKey, UNOBSERVED_STATE } from '../../storage/stream/snapshot-key.ts';
import type { NewStreamRecord } from '../../storage/stream/stream-record.ts';
import { type Item, type Table, versionCondition } from '../../storage/table.ts';
import type { ContractNumber, EventActor, EventNumber, EventRecord } from '../event-record.ts';
import { type FactChange, hashUnlessReported } from '../facts.ts';
import { isNonPersonalField } from '../redact-facts.ts';
import type { CycleFacts, PaymentMethodFacts } from './observation.ts';

/** A recorded cycle: its end (undefined until it is observed) and its edits. Epoch seconds. */
export type RecordedCycle = {
  readonly end?: number;
  readonly isSkipped?: boolean;
  readonly date?: number;
  readonly editedAt?: number;
};

/** Facts that a change of the service may have set, until they are observed. */
export type UnobservedEffect = {
  /** A field, or a prefix followed by `*`. */
  readonly pattern: string;
  readonly number: EventNumber;
  readonly actor: EventActor;
  readonly endedAtMs: number;
};

/**
 * The timeline entries and stream records that are written together with a contract's recorded state. If a crash
 * interrupts the writes, the next run finds a source of the batch in the queue and writes the batch again.
 */
export type AppendBatch = {
  /** The names of the queue items that the batch has appended. */
  readonly sources: readonly string[];
  /** The external entries of the batch, complete, because no item stores them. */
  readonly entries: readonly EventRecord[];
  /** Own entries whose actual changes differ from those that the request recorded. */
  readonly corrections: readonly { readonly number: EventNumber; readonly changes: readonly FactChange[] }[];
  readonly records: readonly NewStreamRecord[];
};

export type RecordedState = {
  readonly shopId: ShopId;
  readonly contract: ContractNumber;
  /** The version of the item in the table; 0 when there is none yet. */
  readonly version: number;
  /** The contract was observed, so it is not reported as created. */
  readonly isKnown?: true;
  /** Whether all facts were observed: then an absent fact is null, otherwise it is unknown. */
  readonly isComplete: boolean;
  readonly facts: Readonly<Record<string, string | null>>;
  /** Patterns of unknown facts: the next observation sets them silently. */
  readonly unknown: readonly string[];
  readonly cycles: Readonly<Record<string, RecordedCycle>>;
  /** False until cycles are observed after a change of the interval. */
  readonly areCyclesKnown: boolean;
  /** When the last observation was read, and when the last change of the service ended; epoch milliseconds. */
  readonly observedFromMs: number;
  readonly observedUntilMs: number;
  readonly ownEndedAtMs: number;
  readonly updatedAtMs: number;
  readonly revisionId: string;
  readonly uncertain: readonly UnobservedEffect[];
  readonly batch?: AppendBatch;
  readonly customerId?: CustomerId;
  readonly paymentMethod?: PaymentMethodFacts;
  /** The index of the last announced order; the announced payment method and its last month. */
  readonly upcomingTold?: number;
  readonly expiringTold?: string;
  /** The customer was erased: facts about the person are not recorded. */
  readonly isForgotten?: true;
  readonly forgottenAtMs?: number;
  readonly namesSinceMs?: number;
};

/** The version of the item's format. The facts of other versions are ignored. */
const STATE_FORMAT_VERSION = 2;
const ATTRIBUTES_OF_ALL_FORMATS = ['version', 'customerId', 'isForgotten', 'namesSinceMs'];
const CYCLE_FIELD_PATTERN = /^billingCycles\.(\d+)\.(skipped|billingAttemptExpectedDate|editedContract)$/;

/**
 * Reads the recorded state of each contract.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function readRecordedStates(
  { table }: { readonly table: Pick<Table, 'batchGet'> },
  shopId: ShopId,
  contracts: readonly ContractNumber[],
): Promise<RecordedState[]> {
  const snapshotItems = await table.batchGet(contracts.map((contract) => snapshotKey(shopId, contract)));
  return contracts.map((contract, index) => toRecordedState({ shopId, contract }, snapshotItems[index]));
}

/** Replaces the state that was read. `refused`: another run or an erasure was faster. */
export async function commitRecordedState(
  { table }: { readonly table: Pick<Table, 'put'> },
  state: RecordedState,
): Promise<'done' | 'refused'> {
  const { shopId, contract, version } = state;
  const item = { ...snapshotKey(shopId, contract), ...state, v: STATE_FORMAT_VERSION, version: version + 1 };
  return table.put(item, versionCondition(version));
}

function toRecordedState(
  ref: Pick<RecordedState, 'shopId' | 'contract'>,
  item: Item | undefined,
): RecordedState {
  const unobservedState = { ...ref, version: 0, ...UNOBSERVED_STATE };
  if (item === undefined) return unobservedState;
  const { pk: _pk, sk: _sk, v, ...found } = item;
  if (v === STATE_FORMAT_VERSION) return { ...unobservedState, ...found };
  const storedAttributes = Object.entries(found).filter(([name]) => ATTRIBUTES_OF_ALL_FORMATS.includes(name));
  return { ...unobservedState, isKnown: true, ...Object.fromEntries(storedAttributes) };
}

/** Returns the recorded text of a fact, null when it has no value; undefined when it is unknown. */
export function recordedFactText(state: RecordedState, field: string): string | null | undefined {
  const [, cycleIndex, factName] = CYCLE_FIELD_PATTERN.exec(field) ?? [];
  if (cycleIndex !== undefined) {
    return recordedCycleFactText(state.cycles[cycleIndex] ?? {}, factName, state.areCyclesKnown);
  }
  const text = state.facts[field];
  if (text !== undefined) return text;
  return state.isComplete && !state.unknown.some((pattern) => matchesFieldPattern(pattern, field))
    ? null
    : undefined;
}

/** Whether the fact is the date of an order that is recorded as skipped. */
export function isDateOfSkippedOrder({ cycles }: Pick<RecordedState, 'cycles'>, field: string): boolean {
  const [, index = '', name] = CYCLE_FIELD_PATTERN.exec(field) ?? [];
  return name === 'billingAttemptExpectedDate' && cycles[index]?.isSkipped === true;
}

/** Returns the state with another value of a fact. For an erased customer, only facts about the contract are recorded. */
export function withRecordedFact(state: RecordedState, field: string, text: string | null): RecordedState {
  if (state.isForgotten && !isNonPersonalField(field)) return state;
  const [, cycleIndex, factName] = CYCLE_FIELD_PATTERN.exec(field) ?? [];
  if (cycleIndex !== undefined) {
    const cycle = withCycleFactText(state.cycles[cycleIndex] ?? {}, factName, text);
    return { ...state, cycles: { ...state.cycles, [cycleIndex]: cycle } };
  }
  const recordedText = hashUnlessReported(state.contract, field, text);
  const unknownPatterns = state.unknown.filter((pattern) => pattern !== field);
  const { [field]: _before, ...others } = state.facts;
  const isFactAbsent =
    recordedText === null &&
    recordedFactText({ ...state, facts: others, unknown: unknownPatterns }, field) === null;
  return {
    ...state,
    unknown: unknownPatterns,
    facts: isFactAbsent ? others : { ...others, [field]: recordedText },
  };
}

/** Returns the state in which these facts are unknown: the next observation sets them silently. */
export function withUnknownFacts(state: RecordedState, pattern: string): RecordedState {
  const remainingFacts = Object.fromEntries(
    Object.entries(state.facts).filter(([field]) => !matchesFieldPattern(pattern, field)),
  );
  const unknownPatterns = [...state.unknown.filter((other) => other !== pattern), pattern];
  return pattern === 'billingCycles.*'
    ? { ...state, cycles: {}, areCyclesKnown: false }
    : { ...state, facts: remainingFacts, unknown: unknownPatterns };
}

/** Whether a field matches a pattern. */
export function matchesFieldPattern(pattern: string, field: string): boolean {
  return pattern.endsWith('*') ? field.startsWith(pattern.slice(0, -1)) : pattern === field;
}

/** Returns a fact of an observed cycle. */
export function observedCycleFactText(cycle: CycleFacts, name: string): string | null {
  return recordedCycleFactText(toRecordedCycle(cycle), name, true) ?? null;
}

/** Converts an observed cycle to its recorded form. */
export function toRecordedCycle({ end, date, isSkipped, editedAt }: CycleFacts): RecordedCycle {
  return {
    end,
    ...(isSkipped && { isSkipped }),
    ...(date !== end && { date }),
    ...(editedAt !== undefined && { editedAt }),
  };
}

/**
 * Returns a fact of a recorded cycle. The defaults of a known cycle: not skipped, billed at its end. An unknown cycle has
 * only edits.
 */
export function recordedCycleFactText(
  cycle: RecordedCycle,
  name: string | undefined,
  isKnown: boolean,
): string | null | undefined {
  const { end, isSkipped, date = end, editedAt } = cycle;
  if (name === 'skipped') return isKnown || isSkipped !== undefined ? String(isSkipped === true) : undefined;
  const epochSeconds = name === 'editedContract' ? editedAt : date;
  if (epochSeconds !== undefined) return formatPlatformDate(epochSeconds * 1000);
  return name === 'editedContract' && isKnown ? null : undefined;
}

function withCycleFactText(
  cycle: RecordedCycle,
  name: string | undefined,
  text: string | null,
): RecordedCycle {
  const epochSeconds = text === null ? undefined : Math.floor((parseInstant(text) ?? 0) / 1000);
  const edit =
    name === 'skipped'
      ? { isSkipped: text === 'true' }
      : { [name === 'editedContract' ? 'editedAt' : 'date']: epochSeconds };
  return Object.fromEntries(Object.entries({ ...cycle, ...edit }).filter(([, value]) => value !== undefined));
}
