/**
 * Appends records to a store's stream, each with the number after the last one. Only the append step does this, one
 * run at a time. If another run took a number because the lease expired, the next free number is read.
 */
import type { ShopId } from '../../domain/shop-id.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Table } from '../table.ts';
import { readLastStreamRecord } from './read-stream.ts';
import { type NewStreamRecord, STREAM_LIFETIME_MS, streamStartKey, toStreamItem } from './stream-record.ts';

/**
 * Appends the records of one store in order. After a crash the caller appends them again, with the same ids, by which
 * receivers recognize them.
 */
export type AppendToStream = (shopId: ShopId, records: readonly NewStreamRecord[]) => Promise<void>;

type Deps = { readonly table: Pick<Table, 'put' | 'query'>; readonly now: () => number };

const MAX_APPEND_ATTEMPTS = 20;

/**
 * Creates the append function of one run, which caches the last number of each stream.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export function createAppendToStream(deps: Deps): AppendToStream {
  const lastNumberByStore = new Map<ShopId, number>();
  return async (shopId, records) => {
    for (const newStreamRecord of records) {
      const streamNumber = await appendStreamRecord(deps, newStreamRecord, lastNumberByStore.get(shopId));
      lastNumberByStore.set(shopId, streamNumber);
    }
  };
}

/** Appends the record to the end of the store's stream, and returns its number. */
async function appendStreamRecord(
  deps: Deps,
  record: NewStreamRecord,
  lastNumber: number | undefined,
): Promise<number> {
  const { table, now } = deps;
  let streamNumber =
    lastNumber === undefined ? await readNextStreamNumber(deps, record.shopId) : lastNumber + 1;
  for (let attempt = 0; attempt < MAX_APPEND_ATTEMPTS; attempt++) {
    const item = toStreamItem({ ...record, number: streamNumber, placedAtMs: now() });
    if ((await table.put(item, { condition: 'attribute_not_exists(pk)' })) === 'done') return streamNumber;
    const lastRecord = await readLastStreamRecord(deps, record.shopId);
    // The first attempt has written the record, but its response was lost, so the retry of the request was refused.
    if (lastRecord?.id === record.id) return lastRecord.number;
    streamNumber = (lastRecord?.number ?? streamNumber) + 1;
  }
  throw new ServiceError('TEMPORARILY_UNAVAILABLE', { internal: 'another run appends to this stream' });
}

async function readNextStreamNumber(deps: Deps, shopId: ShopId): Promise<number> {
  const lastRecord = await readLastStreamRecord(deps, shopId);
  return lastRecord === undefined ? readOrCreateStreamStart(deps, shopId) : lastRecord.number + 1;
}

/**
 * Returns the first number of an empty stream: a new one, or one whose records have all expired. The number is the
 * time in milliseconds, which is greater than all earlier numbers, because no stream gets a thousand records a second
 * for a month. One item makes all runs that find the stream empty use the same number. It expires when a record with
 * that number would.
 */
async function readOrCreateStreamStart({ table, now }: Deps, shopId: ShopId): Promise<number> {
  const key = streamStartKey(shopId);
  const nowMs = now();
  const startItem = { ...key, shopId, number: nowMs, startedAtMs: nowMs };
  const putOutcome = await table.put(startItem, {
    condition: 'attribute_not_exists(pk) OR startedAtMs < :expired',
    values: { ':expired': nowMs - STREAM_LIFETIME_MS },
  });
  if (putOutcome === 'done') return startItem.number;
  const values = { ':pk': key.pk, ':sk': key.sk };
  const { items } = await table.query({ keyCondition: 'pk = :pk AND sk = :sk', values, consistent: true });
  return Number(items[0]?.number ?? startItem.number);
}
