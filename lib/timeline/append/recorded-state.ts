/**
 * The recorded state of a contract: the value that each fact had after the last event that reported it. Only the append step
 * and an erasure write it, on condition that its version is unchanged.
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

/**
 * A recorded billing cycle. Times are epoch seconds. `end`: undefined until the cycle is observed. `date`: absent when the
 * order is due at the cycle's end.
 */
export type RecordedCycle = {
  readonly end?: number;
  readonly isSkipped?: boolean;
  readonly date?: number;
  readonly editedAt?: number;
};

/** Facts that a change of the service may have set. Until they are observed, their changes are attributed to it. */
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
  /** The external entries of the batch, completely, because no queue item stores them. */
  readonly entries: readonly EventRecord[];
  /** The entries of the service whose actual changes differ from those that the request recorded. */
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
  /** Patterns of unknown facts: the next observation sets them without reporting them. */
  readonly unknown: readonly string[];
  readonly cycles: Readonly<Record<string, RecordedCycle>>;
  /** False until cycles are observed after a change of the interval. */
  readonly areCyclesKnown: boolean;
  /** When the reading of the last observation started, epoch milliseconds. */
  readonly observedFromMs: number;
  /** When the reading of the last observation ended, epoch milliseconds. */
  readonly observedUntilMs: number;
  /** When the last applied change of the service ended, epoch milliseconds. */
  readonly ownEndedAtMs: number;
  /** The platform's time of the contract's last change, as last observed; epoch milliseconds. */
  readonly updatedAtMs: number;
  readonly revisionId: string;
  readonly uncertain: readonly UnobservedEffect[];
  readonly batch?: AppendBatch;
  readonly customerId?: CustomerId;
  readonly paymentMethod?: PaymentMethodFacts;
  /** The index of the last announced order. */
  readonly upcomingTold?: number;
  /** The last announced payment method, and the last month in which its card is valid. */
  readonly expiringTold?: string;
  /** The customer was erased: facts about the person are not recorded. */
  readonly isForgotten?: true;
  readonly forgottenAtMs?: number;
  readonly namesSinceMs?: number;
};

/** The version of the item's format. The facts of items in another format are ignored. */
const STATE_FORMAT_VERSION = 2;
/** The attributes that are read from items in any format. */
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

/** Replaces the state that was read. Returns `refused` when another run or an erasure has written it since. */
export async function commitRecordedState(
  { table }: { readonly table: Pick<Table, 'put'> },
  state: RecordedState,
): Promise<'done' | 'refused'> {
  const { shopId, contract, version } = state;
  const item = { ...snapshotKey(shopId, contract), ...state, v: STATE_FORMAT_VERSION, version: version + 1 };
  return table.put(item, versionCondition(version));
}

function toRecordedState(
  contractRef: Pick<RecordedState, 'shopId' | 'contract'>,
  item: Item | undefined,
): RecordedState {
  const unobservedState = { ...contractRef, version: 0, ...UNOBSERVED_STATE };
  if (item === undefined) return unobservedState;
  const { pk: _pk, sk: _sk, v, ...storedState } = item;
  if (v === STATE_FORMAT_VERSION) return { ...unobservedState, ...storedState };
  const storedAttributes = Object.entries(storedState).filter(([name]) =>
    ATTRIBUTES_OF_ALL_FORMATS.includes(name),
  );
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

/** Whether the fact is the date of an order that is recorded as skipped, and `text` the end of its cycle. */
export function isUnmovedDateOfSkippedOrder(
  { cycles }: Pick<RecordedState, 'cycles'>,
  field: string,
  text: string | null,
): boolean {
  const [, index = '', name] = CYCLE_FIELD_PATTERN.exec(field) ?? [];
  if (name !== 'billingAttemptExpectedDate') return false;
  const { isSkipped, end } = cycles[index] ?? {};
  return isSkipped === true && (end === undefined || text === recordedCycleFactText({ end }, name, true));
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
  const { [field]: _before, ...otherFacts } = state.facts;
  const isFactAbsent =
    recordedText === null &&
    recordedFactText({ ...state, facts: otherFacts, unknown: unknownPatterns }, field) === null;
  return {
    ...state,
    unknown: unknownPatterns,
    facts: isFactAbsent ? otherFacts : { ...otherFacts, [field]: recordedText },
  };
}

/** Returns the state in which the facts of a pattern are unknown: the next observation sets them without reporting them. */
export function withUnknownFacts(state: RecordedState, pattern: string): RecordedState {
  const remainingFacts = Object.fromEntries(
    Object.entries(state.facts).filter(([field]) => !matchesFieldPattern(pattern, field)),
  );
  const unknownPatterns = [...state.unknown.filter((other) => other !== pattern), pattern];
  return pattern === 'billingCycles.*'
    ? { ...state, cycles: {}, areCyclesKnown: false }
    : { ...state, facts: remainingFacts, unknown: unknownPatterns };
}

/** Whether a field matches a pattern: the field itself, or a prefix followed by `*`. */
export function matchesFieldPattern(pattern: string, field: string): boolean {
  return pattern.endsWith('*') ? field.startsWith(pattern.slice(0, -1)) : pattern === field;
}

/** Returns the text of a fact of an observed cycle. `name`: the last part of the field, such as `skipped`. */
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
 * Returns the text of a fact of a recorded cycle; undefined when it is unknown. A known cycle is by default not skipped, and
 * due at its end. `isKnown`: false until cycles are observed after a change of the interval; then only changes are known.
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
  const editedFact =
    name === 'skipped'
      ? { isSkipped: text === 'true' }
      : { [name === 'editedContract' ? 'editedAt' : 'date']: epochSeconds };
  return Object.fromEntries(
    Object.entries({ ...cycle, ...editedFact }).filter(([, value]) => value !== undefined),
  );
}
