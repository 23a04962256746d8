/**
 * An intent ends as an entry, or as nothing. One that has its entry stays until the entry has its place in the store's
 * stream: the append step appends it, so no request waits for that (append/append-queued.ts).
 */
import type { DueItems } from '../storage/due-items.ts';
import type { Table } from '../storage/table.ts';
import { isQueued } from './actions.ts';
import { type ContractNumber, formatEventNumber, MAX_SEQUENCE, parseEventNumber } from './event-number.ts';
import {
  type EventRecord,
  type TimelineRef,
  timelinePartition,
  toEventItem,
  toEventRecord,
} from './event-record.ts';
import { intentRef, type OpenIntent, placeRef, reserveStreamOrder } from './open-intent.ts';

export type EndDeps = { readonly table: Table; readonly dueItems: DueItems; readonly now: () => number };

/** An entry that was made of an intent, or under an id of its own. */
export type Entry = EventRecord & { readonly id: string };

export type Settlement = Pick<EventRecord, 'outcome' | 'changes'> & {
  /** The contract that the change has made. */
  readonly contract?: ContractNumber | undefined;
  /** Whether it is known from the platform's own answer: then it counts more than what is there already. */
  readonly isDirectlyObserved: boolean;
};

/**
 * Makes the entry. The intent stays until the entry is placed, unless nobody is told of it. May be repeated: there is one
 * entry for each intent. TEMPORARILY_UNAVAILABLE.
 */
export async function settleAsEntry(
  deps: EndDeps,
  intent: OpenIntent,
  settlement: Settlement,
): Promise<void> {
  const { contract: made } = settlement;
  // The append step reads the entry at the contract that the intent names.
  if (made !== undefined && made !== intent.contract) {
    await deps.dueItems.replace({ ...intentRef(intent), payload: { ...intent, made } });
  }
  const entry = await writeEntry(deps, { endedAtMs: deps.now(), ...intent }, settlement);
  if (entry === undefined || !isQueued(entry)) await dropIntent(deps, intent);
}

/** Removes an intent that no entry tells. TEMPORARILY_UNAVAILABLE. */
export function dropIntent({ dueItems }: Pick<EndDeps, 'dueItems'>, intent: OpenIntent): Promise<void> {
  return dueItems.remove(intentRef(intent));
}

/** The entry that was made of an intent; within its millisecond it may have got another number. */
export async function findEntry(
  { table }: { readonly table: Pick<Table, 'query'> },
  { shopId, contract, createdAtMs, id }: TimelineRef & { readonly createdAtMs: number; readonly id: string },
): Promise<Entry | undefined> {
  const numberAt = (sequence: number) => formatEventNumber({ createdAtMs, sequence, contract });
  const { items } = await table.query({
    keyCondition: 'pk = :pk AND sk BETWEEN :first AND :last',
    values: {
      ':pk': timelinePartition({ shopId, contract }),
      ':first': numberAt(0),
      ':last': numberAt(MAX_SEQUENCE),
    },
    consistent: true,
  });
  const own = items.find((item) => item.id === id);
  return own && (toEventRecord(own) as Entry);
}

/** Whether an entry is there that has no place yet: it must not tell anything else before. TEMPORARILY_UNAVAILABLE. */
export async function isNotAppended(
  deps: { readonly table: Pick<Table, 'query'>; readonly dueItems: Pick<DueItems, 'find'> },
  of: Pick<Entry, 'shopId' | 'contract' | 'number' | 'createdAtMs' | 'id'>,
): Promise<boolean> {
  if ((await findEntry(deps, of)) === undefined) return false;
  const found = [await deps.dueItems.find(intentRef(of)), await deps.dueItems.find(placeRef(of))];
  return found.some((item) => item?.id === of.id);
}

/** Two runs at once may judge otherwise, and one of them remove what the other has entered: the entry wants its place. TEMPORARILY_UNAVAILABLE. */
export async function keepPlace({ table, dueItems }: EndDeps, intent: OpenIntent): Promise<void> {
  const contract = intent.made ?? intent.contract;
  const entry = await findEntry({ table }, { ...intent, contract });
  if (entry === undefined || !isQueued(entry) || (await dueItems.find(intentRef(intent)))) return;
  await reserveStreamOrder(dueItems, entry);
}

/** Undefined: all numbers of the millisecond are others'. */
async function writeEntry(
  { table }: EndDeps,
  {
    repeat: _idempotencyKey,
    made: _made,
    isPlace: _hasReservedOrder,
    further: _further,
    ...intent
  }: OpenIntent,
  { contract = intent.contract, outcome, changes, isDirectlyObserved }: Settlement,
): Promise<Entry | undefined> {
  const own = { condition: 'attribute_not_exists(pk) OR id = :id', values: { ':id': intent.id } };
  let sequence = parseEventNumber(intent.number)?.sequence ?? 0;
  // Where the clock stands still, an entry of an intent before this one may have the number.
  for (; sequence <= MAX_SEQUENCE; sequence++) {
    const number = formatEventNumber({ ...intent, contract, sequence });
    const entry = { ...intent, contract, outcome, changes, number };
    const item = toEventItem(entry);
    const condition = isDirectlyObserved ? own : { condition: 'attribute_not_exists(pk)' };
    if ((await table.put(item, condition)) === 'done') return entry;
    const there = isDirectlyObserved ? undefined : await table.get({ pk: item.pk, sk: item.sk });
    if (there?.id === intent.id) return toEventRecord(there) as Entry;
  }
  return undefined;
}
