/** Reads the records of a store's stream as webhooks: the bodies are built from the present state of the timeline entries. */
import type { CustomerId } from '../../domain/customer-id.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import { readStream } from '../../storage/stream/read-stream.ts';
import { snapshotKey } from '../../storage/stream/snapshot-key.ts';
import { type StreamRecord, withoutCustomerData } from '../../storage/stream/stream-record.ts';
import type { Item, ItemKey, Table } from '../../storage/table.ts';
import {
  type ContractNumber,
  type EventNumber,
  type EventRecord,
  eventItemKey,
  toEventRecord,
} from '../../timeline/event-record.ts';
import { eventHappenedAtMs, toWebhookPayload, type WebhookPayload } from '../to-webhook-payload.ts';
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
export async function readStreamAsWebhooks(
  deps: Deps,
  shopId: ShopId,
  page: { readonly fromNumber: number; readonly limit: number },
): Promise<StreamEvent[]> {
  const payloads = await readWebhookPayloads(deps, await readStream(deps, shopId, page));
  return payloads.map(({ record: { number, contract, id }, payload }) => ({
    number,
    contract,
    webhook: payload && { type: payload.type, id, body: JSON.stringify(payload) },
  }));
}

/**
 * Builds the payload of each stream record; undefined when the event is not sent.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function readWebhookPayloads(
  deps: Omit<Deps, 'table'> & { readonly table: Pick<Table, 'batchGet'> },
  records: readonly StreamRecord[],
): Promise<{ readonly record: StreamRecord; readonly payload: WebhookPayload | undefined }[]> {
  const entryItems = await readItemsInKeyOrder(deps, records.map(entryKeyOf));
  const recordsWithEntries = records.map((record, index): RecordWithEntry => {
    const item = entryItems[index];
    return { record, entry: item && toEventRecord(item) };
  });
  const snapshotKeys = recordsWithEntries.map(customerSnapshotKeyOf);
  const snapshots = await readItemsInKeyOrder(deps, snapshotKeys);
  return recordsWithEntries.map((event, index) => {
    const isErased =
      snapshotKeys[index] !== undefined && !mayEventNameCustomer(snapshots[index], eventHappenedAtMs(event));
    const payload = buildPayloadOfRecord(deps, event, isErased ? 'erased' : snapshots[index]?.customerId);
    return { record: event.record, payload };
  });
}

type RecordWithEntry = { readonly record: StreamRecord; readonly entry: EventRecord | undefined };

/** Reads the items of the keys, in their order; undefined for an undefined key. */
async function readItemsInKeyOrder(
  { table }: { readonly table: Pick<Table, 'batchGet'> },
  keys: readonly (ItemKey | undefined)[],
): Promise<(Item | undefined)[]> {
  const itemIterator = (await table.batchGet(keys.filter((key) => key !== undefined))).values();
  return keys.map((key) => (key === undefined ? undefined : itemIterator.next().value));
}

function buildPayloadOfRecord(
  { gidNamespace }: Pick<Deps, 'gidNamespace'>,
  { record, entry }: RecordWithEntry,
  customerId: unknown,
): WebhookPayload | undefined {
  const customerField = typeof customerId === 'number' ? { customerId: customerId as CustomerId } : {};
  // An erasure empties the contract's snapshot at once, but the data in stream records only when it sweeps the table.
  const isCustomerErased = customerId === 'erased' && record.event !== undefined;
  const visibleRecord = isCustomerErased ? { ...record, event: withoutCustomerData(record.event) } : record;
  return toWebhookPayload({ entry, record: visibleRecord, ...customerField, gidNamespace });
}

/** Whether an event of this time may name the contract's customer: not from before an erasure and a new sign-in. */
function mayEventNameCustomer(snapshot: Item | undefined, atMs: number): boolean {
  if (snapshot === undefined || snapshot.isForgotten === true) return false;
  return typeof snapshot.namesSinceMs !== 'number' || atMs >= snapshot.namesSinceMs;
}

/**
 * Returns the key of the contract's snapshot, which tells the contract's customer and whether events may name the customer;
 * undefined when the snapshot is not needed.
 */
function customerSnapshotKeyOf({ record, entry }: RecordWithEntry): ItemKey | undefined {
  const isActorCustomer = entry?.actor.kind === 'CUSTOMER';
  const isEntryMissing = record.entry !== undefined && entry === undefined;
  // The erased customer is never named, even if the contract has another customer now.
  const isErasureEvent = record.event?.type === 'customer.erased';
  if (record.contract === undefined || isActorCustomer || isEntryMissing || isErasureEvent) return undefined;
  return snapshotKey(record.shopId, record.contract);
}

function entryKeyOf({ shopId, contract, entry }: StreamRecord): ItemKey | undefined {
  if (entry === undefined) return undefined;
  const ref = { shopId, contract: contract as ContractNumber | undefined };
  return eventItemKey({ ...ref, number: entry.number as EventNumber });
}
