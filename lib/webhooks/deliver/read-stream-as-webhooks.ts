/** Reads a store's stream as webhooks: their bodies are built from the entries' current state. */
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
 * Reads the body of each record; undefined when none is sent.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function readWebhookPayloads(
  deps: Omit<Deps, 'table'> & { readonly table: Pick<Table, 'batchGet'> },
  records: readonly StreamRecord[],
): Promise<{ readonly record: StreamRecord; readonly payload: WebhookPayload | undefined }[]> {
  const entryItems = await readItemsInKeyOrder(deps, records.map(entryKeyOf));
  const events = records.map((record, index): RecordWithEntry => {
    const item = entryItems[index];
    return { record, entry: item && toEventRecord(item) };
  });
  const keys = events.map(customerSnapshotKeyOf);
  const snapshots = await readItemsInKeyOrder(deps, keys);
  return events.map((event, index) => {
    const isErased =
      keys[index] !== undefined && !mayEventNameCustomer(snapshots[index], eventHappenedAtMs(event));
    const payload = buildPayloadOfRecord(deps, event, isErased ? 'erased' : snapshots[index]?.customerId);
    return { record: event.record, payload };
  });
}

type RecordWithEntry = { readonly record: StreamRecord; readonly entry: EventRecord | undefined };

/** Reads the item of each key; undefined without a key. */
async function readItemsInKeyOrder(
  { table }: { readonly table: Pick<Table, 'batchGet'> },
  keys: readonly (ItemKey | undefined)[],
): Promise<(Item | undefined)[]> {
  const readItems = (await table.batchGet(keys.filter((key) => key !== undefined))).values();
  return keys.map((key) => (key === undefined ? undefined : readItems.next().value));
}

function buildPayloadOfRecord(
  { gidNamespace }: Pick<Deps, 'gidNamespace'>,
  { record, entry }: RecordWithEntry,
  customerId: unknown,
): WebhookPayload | undefined {
  const customerField = typeof customerId === 'number' ? { customerId: customerId as CustomerId } : {};
  // An erasure empties the snapshot immediately; the events' data are removed when the table is swept.
  const isCustomerErased = customerId === 'erased' && record.event !== undefined;
  const visibleRecord = isCustomerErased ? { ...record, event: withoutCustomerData(record.event) } : record;
  return toWebhookPayload({ entry, record: visibleRecord, ...customerField, gidNamespace });
}

/** Whether events may name the customer. After an erasure and a new sign-in, only later events may. */
function mayEventNameCustomer(snapshot: Item | undefined, atMs: number): boolean {
  if (snapshot === undefined || snapshot.isForgotten === true) return false;
  return typeof snapshot.namesSinceMs !== 'number' || atMs >= snapshot.namesSinceMs;
}

/**
 * Returns the key of the contract's snapshot, which has the customer if the entry does not, and whether an event may
 * name the customer.
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
