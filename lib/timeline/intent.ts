/**
 * An intent states a change before it is made. It is a scheduled task, not an entry of the timeline, so the scheduled work
 * finds the intents that were left open. It ends as an entry, or as nothing. An intent with its entry stays until the
 * append step has put the entry into the store's stream, so no request waits for that (append/append-queued-items.ts).
 */
import { ServiceError } from '../errors/service-error.ts';
import type { ScheduledTask, ScheduledTaskRef, ScheduledTasks } from '../storage/scheduled-tasks.ts';
import type { ItemKey, Table } from '../storage/table.ts';
import { isAppendedToStream } from './actions.ts';
import type { ApplyOutcomeToCharge } from './attempt-outcome.ts';
import {
  type CommonEventFields,
  type ContractNumber,
  type EventRecord,
  eventItemKey,
  findTimelineEntry,
  formatEventNumber,
  MAX_EVENT_SEQUENCE,
  parseEventNumber,
  toEventRecord,
  writeTimelineEntry,
} from './event-record.ts';
import { type FactChange, isSameFactText } from './facts.ts';

/** An intent as it is stored. `repeat`: the key of its request's idempotency record. */
export type OpenIntent = CommonEventFields & {
  readonly repeat?: ItemKey;
  /** Facts that the change's later steps set: recorded with `changes`, but not used to resolve the intent. */
  readonly further?: readonly FactChange[];
  /** The contract that the change created; its entry is stored there. */
  readonly made?: ContractNumber;
  /** Set when no change is in progress: the item only reserves an entry's position in the contract's order. */
  readonly isPlace?: true;
};
type NewIntent = Omit<OpenIntent, 'number'>;

export type TimelineWriteDeps = {
  readonly table: Table;
  readonly scheduledTasks: ScheduledTasks;
  readonly now: () => number;
  /** Absent in functions that have no access to the service's charges. */
  readonly applyOutcomeToCharge?: ApplyOutcomeToCharge;
};

export type IntentSettlement = Pick<EventRecord, 'outcome' | 'changes'> & {
  /** The contract that the change created. */
  readonly contract?: ContractNumber | undefined;
  /** Whether the platform's response to the request shows the change: then the entry replaces an existing entry. */
  readonly isDirectlyObserved: boolean;
};

/** The scheduled work settles an open intent this long after its start: no request lasts that long. */
export const SETTLE_INTENT_AFTER_MS = 120_000;

/**
 * How long after an intent the platform may still make its change: a request lasts 20 s, and clocks differ a little.
 */
export const MAX_INTENT_IN_FLIGHT_MS = 60_000;

/** How long the service waits for a contract or an attempt that cannot be read; then the change is recorded as UNKNOWN. */
export const INTENT_GIVE_UP_AFTER_MS = 7 * 86_400_000;

/** How long the append step lets queued items wait for an earlier intent that has no entry yet. */
export const MAX_WAIT_FOR_EARLIER_ENTRY_MS = 15 * 60_000;

type IntentIdentity = Pick<OpenIntent, 'shopId' | 'number' | 'createdAtMs' | 'id'>;

/** Returns the key of an intent's scheduled task. */
function intentScheduledTaskRef({
  shopId,
  number,
  createdAtMs,
  id,
}: IntentIdentity): ScheduledTaskRef & { readonly id: string } {
  return { kind: 'intent', shopId, dueAtMs: createdAtMs + SETTLE_INTENT_AFTER_MS, name: number, id };
}

/** Returns the key of the task that reserves an entry's position; it has the entry's id, as an intent may have the number. */
export function streamOrderReservationRef(entry: IntentIdentity): ScheduledTaskRef & { readonly id: string } {
  return { ...intentScheduledTaskRef(entry), name: `${entry.number}.${entry.id}` };
}

function scheduledTaskRefOfIntent(intent: OpenIntent): ScheduledTaskRef & { readonly id: string } {
  return intent.isPlace ? streamOrderReservationRef(intent) : intentScheduledTaskRef(intent);
}

/** Returns the intent of a scheduled task. */
export function toOpenIntent({ payload }: ScheduledTask): OpenIntent {
  return { contract: undefined, ...(payload as Omit<OpenIntent, 'contract'>) };
}

/**
 * Finds an intent with a consistent read.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function findIntent(
  { find }: Pick<ScheduledTasks, 'find'>,
  ref: IntentIdentity,
): Promise<OpenIntent | undefined> {
  const item = await find(intentScheduledTaskRef(ref));
  return item && toOpenIntent(item);
}

/**
 * Writes an intent under the first free number of its millisecond.
 * @throws TEMPORARILY_UNAVAILABLE when it is not written
 */
export async function writeIntent(scheduledTasks: ScheduledTasks, intent: NewIntent): Promise<OpenIntent> {
  for (let sequence = 0; sequence <= MAX_EVENT_SEQUENCE; sequence++) {
    const numberedIntent = { ...intent, number: formatEventNumber({ ...intent, sequence }) };
    if (await tryWriteIntent(scheduledTasks, numberedIntent)) return numberedIntent;
  }
  throw new ServiceError('TEMPORARILY_UNAVAILABLE', { internal: 'no number is free in this millisecond' });
}

async function tryWriteIntent(scheduledTasks: ScheduledTasks, intent: OpenIntent): Promise<boolean> {
  const taskRef = intentScheduledTaskRef(intent);
  try {
    if ((await scheduledTasks.put({ ...taskRef, payload: intent })) === 'done') return true;
    // A retry of the same request is refused by the first one, whose response was lost.
    return (await findIntent(scheduledTasks, intent))?.id === intent.id;
  } catch (error) {
    // The failed write may still have stored the intent. No request follows, so remove it.
    await scheduledTasks.remove(taskRef).catch(() => undefined);
    throw error;
  }
}

/**
 * Adds to an open intent facts that the next step of its change will set.
 * @throws TEMPORARILY_UNAVAILABLE when they are not stored
 */
export async function addFurtherFacts(
  { replace }: Pick<ScheduledTasks, 'replace'>,
  intent: OpenIntent,
  facts: readonly FactChange[],
): Promise<OpenIntent> {
  const changeByField = new Map((intent.further ?? []).map((fact) => [fact.field, fact]));
  for (const fact of facts) {
    changeByField.set(fact.field, { ...fact, before: changeByField.get(fact.field)?.before ?? fact.before });
  }
  // A fact without values, such as an address, is only recorded as changed.
  const isValueless = ({ before, after }: FactChange) => before === null && after === null;
  const addedFacts = [...changeByField.values()].filter(
    (fact) => isValueless(fact) || !isSameFactText(fact.field, fact.before, fact.after),
  );
  const extendedIntent = { ...intent, further: addedFacts };
  await replace({ ...scheduledTaskRefOfIntent(extendedIntent), payload: extendedIntent });
  return extendedIntent;
}

/**
 * Writes the entry of an intent. The intent stays until the entry is appended, unless no event reports it.
 * Idempotent: an intent has one entry.
 * @returns the stored entry
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function settleIntentAsEntry(
  deps: TimelineWriteDeps,
  intent: OpenIntent,
  { contract = intent.contract, outcome, changes, isDirectlyObserved }: IntentSettlement,
): Promise<EventRecord> {
  // The append step reads the entry at the contract that the intent names.
  if (contract !== undefined && contract !== intent.contract) {
    await deps.scheduledTasks.replace({
      ...scheduledTaskRefOfIntent(intent),
      payload: { ...intent, made: contract },
    });
  }
  const {
    repeat: _idempotencyKey,
    made: _made,
    isPlace: _hasReservedOrder,
    further: _further,
    ...intentFields
  } = intent;
  const writtenEntry = await writeTimelineEntry(
    deps,
    { endedAtMs: deps.now(), ...intentFields, contract, outcome, changes },
    { keepsExisting: !isDirectlyObserved },
  );
  if (!isAppendedToStream(writtenEntry)) await removeIntent(deps, intent);
  return writtenEntry;
}

/**
 * Removes an intent that has no entry.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export function removeIntent(
  { scheduledTasks }: Pick<TimelineWriteDeps, 'scheduledTasks'>,
  intent: OpenIntent,
): Promise<void> {
  return scheduledTasks.remove(scheduledTaskRefOfIntent(intent));
}

/**
 * Finds the entry of each intent, with consistent reads; undefined for an intent without one.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function findEntriesOfIntents(
  { table }: { readonly table: Pick<Table, 'batchGet' | 'query'> },
  intents: readonly OpenIntent[],
): Promise<(EventRecord | undefined)[]> {
  const entryRefs = intents.map((intent) => ({ ...intent, contract: intent.made ?? intent.contract }));
  const entryItems = await table.batchGet(
    entryRefs.map((ref) => {
      const sequence = parseEventNumber(ref.number)?.sequence ?? 0;
      return eventItemKey({ ...ref, number: formatEventNumber({ ...ref, sequence }) });
    }),
  );
  const entryOfEachIntent: (EventRecord | undefined)[] = [];
  for (const [index, ref] of entryRefs.entries()) {
    const item = entryItems[index];
    // Entries are never removed, so an entry has a later number only if another entry has this one.
    const isOtherEntry = item !== undefined && item.id !== ref.id;
    entryOfEachIntent.push(
      isOtherEntry ? await findTimelineEntry({ table }, ref) : item && toEventRecord(item),
    );
  }
  return entryOfEachIntent;
}

/**
 * Whether the entry exists and is not appended to the stream yet: until it is appended, it must not be replaced.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function isEntryNotAppended(
  deps: { readonly table: Pick<Table, 'query'>; readonly scheduledTasks: Pick<ScheduledTasks, 'find'> },
  entry: IntentIdentity & Pick<EventRecord, 'contract'>,
): Promise<boolean> {
  if ((await findTimelineEntry(deps, entry)) === undefined) return false;
  const openIntents = [
    await deps.scheduledTasks.find(intentScheduledTaskRef(entry)),
    await deps.scheduledTasks.find(streamOrderReservationRef(entry)),
  ];
  return openIntents.some((item) => item?.id === entry.id);
}

/**
 * Reserves the position of an entry in the store's stream before the entry is written, if it has no intent or is written
 * again: the append step finds the entry by the reservation, and lets later entries wait. Idempotent.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function reserveStreamOrder(
  { put }: Pick<ScheduledTasks, 'put'>,
  {
    id,
    number,
    shopId,
    contract,
    action,
    createdAtMs,
  }: IntentIdentity & Pick<EventRecord, 'contract' | 'action'>,
): Promise<void> {
  const reservation: OpenIntent = {
    ...{ id, number, shopId, contract, action, createdAtMs, isPlace: true },
    ...{ actor: { kind: 'SERVICE' }, requestId: id, details: {}, changes: [] },
  };
  await put({ ...streamOrderReservationRef(reservation), payload: reservation });
}

/**
 * Records an entry without an intent: of a change that the service has not made. Idempotent.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function recordEntryWithoutIntent(
  {
    table,
    scheduledTasks,
  }: Pick<TimelineWriteDeps, 'table'> & { readonly scheduledTasks: Pick<ScheduledTasks, 'put'> },
  entry: EventRecord,
): Promise<void> {
  await reserveStreamOrder(scheduledTasks, entry);
  await writeTimelineEntry({ table }, entry);
}

/**
 * Reserves the position of an entry whose intent was removed before it was appended: of two concurrent runs, one may have
 * written the entry, and the other one removed the intent.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function reserveStreamOrderOfRemovedIntent(
  { table, scheduledTasks }: TimelineWriteDeps,
  intent: OpenIntent,
): Promise<void> {
  const entry = await findTimelineEntry({ table }, { ...intent, contract: intent.made ?? intent.contract });
  if (
    entry === undefined ||
    !isAppendedToStream(entry) ||
    (await scheduledTasks.find(intentScheduledTaskRef(intent)))
  )
    return;
  await reserveStreamOrder(scheduledTasks, entry);
}
