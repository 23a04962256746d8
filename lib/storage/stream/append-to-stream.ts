/**
 * Appends records to a store's stream, each at the number behind the last one. Only the append step does this, one run at a time:
 * where another run has taken a number all the same, because its lease ran out, the next free one is looked up.
 */
import type { ShopId } from '../../domain/shop-id.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Table } from '../table.ts';
import {
  type NewStreamRecord,
  STREAM_LIFE_MS,
  type StreamRecord,
  streamFrom,
  streamStartKey,
  toStreamItem,
  toStreamRecord,
} from './stream-record.ts';

/** Appends the records of one store in their order. A crash appends them again, under the same ids. */
export type AppendToStream = (shopId: ShopId, records: readonly NewStreamRecord[]) => Promise<void>;

type Deps = { readonly table: Pick<Table, 'put' | 'query'>; readonly now: () => number };

const MAX_TRIES = 20;

/** The appending of one run, which remembers where each stream ends. TEMPORARILY_UNAVAILABLE. */
export function createAppending(deps: Deps): AppendToStream {
  const heads = new Map<ShopId, number>();
  return async (shopId, records) => {
    for (const record of records) {
      const number = await append(deps, record, heads.get(shopId));
      heads.set(shopId, number);
    }
  };
}

/** Returns the record's number. */
async function append(deps: Deps, record: NewStreamRecord, head: number | undefined): Promise<number> {
  const { table, now } = deps;
  let number = head === undefined ? await nextNumber(deps, record.shopId) : head + 1;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const item = toStreamItem({ ...record, number, placedAtMs: now() });
    if ((await table.put(item, { condition: 'attribute_not_exists(pk)' })) === 'done') return number;
    const last = await readLast(deps, record.shopId);
    // A retry of the same request is refused by the first one, whose response was lost.
    if (last?.id === record.id) return last.number;
    number = (last?.number ?? number) + 1;
  }
  throw new ServiceError('TEMPORARILY_UNAVAILABLE', { internal: 'another run appends to this stream' });
}

async function nextNumber(deps: Deps, shopId: ShopId): Promise<number> {
  const head = await readLast(deps, shopId);
  return head === undefined ? startOf(deps, shopId) : head.number + 1;
}

async function readLast({ table }: Deps, shopId: ShopId): Promise<StreamRecord | undefined> {
  const { items } = await table.query({ ...streamFrom(shopId), descending: true, limit: 1 });
  return items[0] && toStreamRecord(items[0]);
}

/**
 * The first number of a stream that is empty: because it is new, or because all that it held has expired. It is the time
 * in milliseconds, and so above all before it: nobody appends a thousand a second for a month. All who find the stream
 * empty agree on it by one item, which counts as long as a record at that number would be there.
 */
async function startOf({ table, now }: Deps, shopId: ShopId): Promise<number> {
  const key = streamStartKey(shopId);
  const start = { ...key, shopId, number: now(), startedAtMs: now() };
  const outcome = await table.put(start, {
    condition: 'attribute_not_exists(pk) OR startedAtMs < :expired',
    values: { ':expired': now() - STREAM_LIFE_MS },
  });
  if (outcome === 'done') return start.number;
  const values = { ':pk': key.pk, ':sk': key.sk };
  const { items } = await table.query({ keyCondition: 'pk = :pk AND sk = :sk', values, consistent: true });
  return Number(items[0]?.number ?? start.number);
}
