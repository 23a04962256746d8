/**
 * An entry of the timeline, as the table stores it: by contract and number, and in an index by contract, action and number.
 * An entry never expires: it stays until the store is purged.
 */
import type { Brand } from '../domain/brand.ts';
import type { CustomerId } from '../domain/customer-id.ts';
import { formatGid, parseGid } from '../domain/gid.ts';
import type { ShopId } from '../domain/shop-id.ts';
import type { AdminKeyId } from '../domain/tokens/admin-key.ts';
import type { Item, ItemKey, Table } from '../storage/table.ts';
import type { FactChange } from './facts.ts';

/**
 * The number of an entry, 35 digits: time, sequence and contract, each of a fixed width. Numbers sort by time, and a
 * number names the contract whose owner may see the entry.
 */
export type EventNumber = Brand<string, 'EventNumber'>;
/** The digits of a contract's global id; undefined for an entry of the whole store. */
export type ContractNumber = Brand<string, 'ContractNumber'>;

type EventNumberFields = {
  readonly createdAtMs: number;
  /** Distinguishes the entries of one contract in one millisecond. */
  readonly sequence: number;
  readonly contract: ContractNumber | undefined;
};

const EVENT_TIME_DIGITS = 13;
const SEQUENCE_DIGITS = 3;
const CONTRACT_DIGITS = 19;
const EVENT_NUMBER_DIGITS = EVENT_TIME_DIGITS + SEQUENCE_DIGITS + CONTRACT_DIGITS;
const EVENT_NUMBER_PATTERN = new RegExp(`^[0-9]{${EVENT_NUMBER_DIGITS}}$`);

/**
 * A parsed number with its parts. It may come from a client, so the ownership of its contract has to be checked before the
 * entry is returned.
 */
export type EventNumberParts = EventNumberFields & { readonly number: EventNumber };

/** The highest sequence number that fits into the digits of an entry's number. */
export const MAX_EVENT_SEQUENCE = 10 ** SEQUENCE_DIGITS - 1;
/** The last millisecond that a number can contain: in 2286. */
export const LAST_EVENT_TIME_MS = 10 ** EVENT_TIME_DIGITS - 1;
/** All entries' numbers are between these two texts, both included. */
export const LOWEST_EVENT_NUMBER = '0'.repeat(EVENT_NUMBER_DIGITS);
export const HIGHEST_EVENT_NUMBER = '9'.repeat(EVENT_NUMBER_DIGITS);

/** Formats the number of an entry. */
export function formatEventNumber({ createdAtMs, sequence, contract }: EventNumberFields): EventNumber {
  const time = String(createdAtMs).padStart(EVENT_TIME_DIGITS, '0');
  const paddedSequence = String(sequence).padStart(SEQUENCE_DIGITS, '0');
  return `${time}${paddedSequence}${(contract ?? '').padStart(CONTRACT_DIGITS, '0')}` as EventNumber;
}

/** Parses a number; returns undefined for any other text. */
export function parseEventNumber(text: string): EventNumberParts | undefined {
  if (!EVENT_NUMBER_PATTERN.test(text)) return undefined;
  const contract = text.slice(EVENT_TIME_DIGITS + SEQUENCE_DIGITS).replace(/^0+/, '');
  return {
    number: text as EventNumber,
    createdAtMs: Number(text.slice(0, EVENT_TIME_DIGITS)),
    sequence: Number(text.slice(EVENT_TIME_DIGITS, EVENT_TIME_DIGITS + SEQUENCE_DIGITS)),
    contract: contract === '' ? undefined : (contract as ContractNumber),
  };
}

/** Formats the global id of an entry, `gid://{namespace}/SubscriptionEvent/{number}`. */
export function formatEventGid(number: EventNumber, namespace: string): string {
  return formatGid({ namespace, type: 'SubscriptionEvent', tail: number });
}

/** Parses the global id of an entry, in any namespace; returns undefined for any other id. */
export function parseEventGid(text: string): EventNumberParts | undefined {
  const gid = parseGid(text);
  return gid?.type === 'SubscriptionEvent' ? parseEventNumber(gid.tail) : undefined;
}

/** Parses the global id of a contract, in any namespace; returns undefined for any other id. */
export function contractNumberOfGid(gidText: string): ContractNumber | undefined {
  const gid = parseGid(gidText);
  return gid?.type === 'SubscriptionContract' ? (gid.tail as ContractNumber) : undefined;
}

/** Formats the global id of a contract. */
export function contractGid(contract: ContractNumber, namespace: string): string {
  return formatGid({ namespace, type: 'SubscriptionContract', tail: contract });
}

/**
 * The actor of a change. `label` and `keyId` name the admin key that acted: with the kind CUSTOMER, for the customer. Two
 * keys can have the same label; `keyId` is for operators only, and older entries lack it.
 */
export type EventActor =
  | {
      readonly kind: 'CUSTOMER';
      /** Absent after the customer's erasure. */
      readonly customerId?: CustomerId;
      readonly label?: string;
      readonly keyId?: AdminKeyId;
    }
  | { readonly kind: 'MERCHANT'; readonly label: string; readonly keyId?: AdminKeyId }
  | { readonly kind: 'SERVICE' }
  /** The change was made outside this service, and the platform does not state by whom. */
  | { readonly kind: 'UNKNOWN' };

/** Returns the admin key of an actor; empty when it acted without a key. */
export function adminKeyOfActor(actor: EventActor): { readonly label?: string; readonly keyId?: AdminKeyId } {
  return actor.kind === 'CUSTOMER' || actor.kind === 'MERCHANT' ? actor : {};
}

/** The fields that an intent and an entry have in common. */
export type CommonEventFields = {
  /** A unique id. An entry has the id of its intent. */
  readonly id: string;
  readonly number: EventNumber;
  readonly shopId: ShopId;
  /** Undefined for an entry of the whole store. */
  readonly contract: ContractNumber | undefined;
  readonly action: string;
  readonly actor: EventActor;
  readonly requestId: string;
  /** The arguments of the change that messages and events need, such as a reason, a date or a cycle index. */
  readonly details: Readonly<Record<string, string | number | boolean | null>>;
  readonly changes: readonly FactChange[];
  readonly createdAtMs: number;
  /** When the state that the change starts from was read, or earlier; older entries lack it. */
  readonly readAtMs?: number;
  /** When the platform had responded, or the change was settled without its response; older entries lack it. */
  readonly endedAtMs?: number;
};

/** DONE: the change was made. UNKNOWN: it cannot be determined whether the change was made. */
type EventOutcome = 'DONE' | 'UNKNOWN';
export type EventRecord = CommonEventFields & { readonly outcome: EventOutcome };

export type TimelineRef = { readonly shopId: ShopId; readonly contract: ContractNumber | undefined };

/** Returns the partition of a contract's entries; the sort key is the entry's number. */
export function timelinePartition({ shopId, contract }: TimelineRef): string {
  return `TIMELINE#${shopId}#${contract ?? 'STORE'}`;
}

/** Returns the partition of a contract's entries of one action, in the index `actions`. */
export function timelineActionPartition({ shopId, contract }: TimelineRef, action: string): string {
  return `ACTION#${shopId}#${contract ?? 'STORE'}#${action}`;
}

/** Returns the key of an entry. */
export function eventItemKey({ shopId, contract, number }: TimelineRef & { number: EventNumber }): ItemKey {
  return { pk: timelinePartition({ shopId, contract }), sk: number };
}

/**
 * Converts an entry to its item.
 *
 * @internal Tests put entries into the table.
 */
export function toEventItem(record: EventRecord): Item {
  return {
    ...eventItemKey(record),
    actionPk: timelineActionPartition(record, record.action),
    actionSk: record.number,
    ...record,
  };
}

/** Converts an item to its entry. */
export function toEventRecord(item: Item): EventRecord {
  const { pk: _pk, sk: _sk, actionPk: _actionPk, actionSk: _actionSk, ...record } = item;
  return { contract: undefined, ...record } as unknown as EventRecord;
}

/**
 * Writes an entry under its number, or under the next free one if another entry has that number. Replaces an entry with the
 * same id, unless `keepsExisting`.
 * @returns the stored entry
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function writeTimelineEntry(
  { table }: { readonly table: Pick<Table, 'get' | 'put'> },
  entry: EventRecord,
  { keepsExisting = false } = {},
): Promise<EventRecord> {
  const freeCondition = 'attribute_not_exists(pk)';
  const putCondition = keepsExisting
    ? { condition: freeCondition }
    : { condition: `${freeCondition} OR id = :id`, values: { ':id': entry.id } };
  let sequence = parseEventNumber(entry.number)?.sequence ?? 0;
  for (; sequence <= MAX_EVENT_SEQUENCE; sequence++) {
    const numberedEntry = { ...entry, number: formatEventNumber({ ...entry, sequence }) };
    if ((await table.put(toEventItem(numberedEntry), putCondition)) === 'done') return numberedEntry;
    const existingItem = keepsExisting ? await table.get(eventItemKey(numberedEntry)) : undefined;
    if (existingItem?.id === entry.id) return toEventRecord(existingItem);
  }
  throw new Error('all numbers of this millisecond are taken');
}

/**
 * Finds an entry by its id and its millisecond, with a consistent read.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function findTimelineEntry(
  { table }: { readonly table: Pick<Table, 'query'> },
  { shopId, contract, createdAtMs, id }: TimelineRef & { readonly createdAtMs: number; readonly id: string },
): Promise<EventRecord | undefined> {
  const numberAt = (sequence: number) => formatEventNumber({ createdAtMs, sequence, contract });
  const { items } = await table.query({
    keyCondition: 'pk = :pk AND sk BETWEEN :first AND :last',
    values: {
      ':pk': timelinePartition({ shopId, contract }),
      ':first': numberAt(0),
      ':last': numberAt(MAX_EVENT_SEQUENCE),
    },
    consistent: true,
  });
  const entryItem = items.find((item) => item.id === id);
  return entryItem && toEventRecord(entryItem);
}
