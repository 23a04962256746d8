/** Reads a store's stream as webhooks: their bodies are built from the entries' current state. */
import type { CustomerId } from '../../domain/customer-id.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import { readStream } from '../../storage/stream/read-stream.ts';
import { snapshotKey } from '../../storage/stream/snapshot-key.ts';
import { type StreamRecord, withoutPerson } from '../../storage/stream/stream-record.ts';
import type { Item, ItemKey, Table } from '../../storage/table.ts';
import type { ContractNumber, EventNumber } from '../../timeline/event-record.ts';
import { type EventRecord, eventKey, toEventRecord } from '../../timeline/event-record.ts';
import { happenedAtMs, toWebhookPayload, type WebhookPayload } from '../to-webhook-payload.ts';
import type { StreamEvent } from './endpoint-run.ts';

type Deps = {
  readonly table: Pick<Table, 'query' | 'batchGet'>;
  readonly now: () => number;
  readonly gidNamespace: string;
};

/**
 * Reads at most `limit` events of the stream from `fromNumber` on, in order; fewer at its end.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function readWebhooks(
  deps: Deps,
  shopId: ShopId,
  page: { readonly fromNumber: number; readonly limit: number },
): Promise<StreamEvent[]> {
  const payloads = await readPayloads(deps, await readStream(deps, shopId, page));
  return payloads.map(({ record: { number, contract, id }, payload }) => ({
    number,
    contract,
    webhook: payload && { type: payload.type, id, body: JSON.stringify(payload) },
  }));
}

/**
 * Reads the body of each record; undefined when none is sent.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function readPayloads(
  deps: Omit<Deps, 'table'> & { readonly table: Pick<Table, 'batchGet'> },
  records: readonly StreamRecord[],
): Promise<{ readonly record: StreamRecord; readonly payload: WebhookPayload | undefined }[]> {
  const entries = await readItems(deps, records.map(keyOfEntry));
  const tellings = records.map((record) => ({ record, entry: entryOf(record, entries) }));
  const customers = await readItems(deps, tellings.map(keyOfCustomer));
  return tellings.map((recordedEvent) => ({
    record: recordedEvent.record,
    payload: payloadOf(deps, recordedEvent, customers),
  }));
}

type Items = ReadonlyMap<string, Item>;
type RecordedEvent = { readonly record: StreamRecord; readonly entry: EventRecord | undefined };

async function readItems(
  { table }: { readonly table: Pick<Table, 'batchGet'> },
  keys: readonly (ItemKey | undefined)[],
): Promise<Items> {
  const named = keys.filter((key) => key !== undefined);
  const found = (await table.batchGet(named)).filter((item) => item !== undefined);
  return new Map(found.map((item) => [nameOf(item), item]));
}

function entryOf(record: StreamRecord, entries: Items): EventRecord | undefined {
  const key = keyOfEntry(record);
  const item = key && entries.get(nameOf(key));
  return item && toEventRecord(item);
}

function payloadOf(
  { gidNamespace }: Pick<Deps, 'gidNamespace'>,
  recordedEvent: RecordedEvent,
  customers: Items,
): WebhookPayload | undefined {
  const { entry } = recordedEvent;
  const key = keyOfCustomer(recordedEvent);
  const snapshot = key && customers.get(nameOf(key));
  const isForgotten = key !== undefined && !mayName(snapshot, happenedAtMs(recordedEvent));
  const customerId = isForgotten ? undefined : snapshot?.customerId;
  const known = typeof customerId === 'number' ? { customerId: customerId as CustomerId } : {};
  const record = isForgotten ? withErasedPerson(recordedEvent.record) : recordedEvent.record;
  return toWebhookPayload({ entry, record, ...known, gidNamespace });
}

/** A customer who signed in again after an erasure is named only in later events. */
function mayName(snapshot: Item | undefined, atMs: number): boolean {
  if (snapshot === undefined || snapshot.isForgotten === true) return false;
  return typeof snapshot.namesSinceMs !== 'number' || atMs >= snapshot.namesSinceMs;
}

/** An erasure empties the snapshot immediately; the events' data are removed when the table is swept. */
function withErasedPerson(record: StreamRecord): StreamRecord {
  return record.event === undefined ? record : { ...record, event: withoutPerson(record.event) };
}

/**
 * Returns the key of the contract's snapshot, which has the customer if the entry does not, and whether an event may
 * name the customer.
 */
function keyOfCustomer({ record, entry }: RecordedEvent): ItemKey | undefined {
  const isKnown = entry?.actor.kind === 'CUSTOMER';
  const isGone = record.entry !== undefined && entry === undefined;
  // The erased customer is never named, even if the contract has another customer now.
  const isErasure = record.event?.type === 'customer.erased';
  if (record.contract === undefined || isKnown || isGone || isErasure) return undefined;
  return snapshotKey(record.shopId, record.contract);
}

function keyOfEntry({ shopId, contract, entry }: StreamRecord): ItemKey | undefined {
  if (entry === undefined) return undefined;
  const ref = { shopId, contract: contract as ContractNumber | undefined };
  return eventKey({ ...ref, number: entry.number as EventNumber });
}

function nameOf({ pk, sk }: ItemKey): string {
  return `${pk}\n${sk}`;
}
