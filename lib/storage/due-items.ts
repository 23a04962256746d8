/**
 * Things that the scheduled work has to do at a time: open intents, timed pauses, unfinished interval changes. They
 * lie in buckets of a day, and a mark says which bucket is the oldest that may hold any.
 */
import type { ShopId } from '../domain/shop-id.ts';
import type { Item, ItemKey, Table } from './table.ts';

export type DueKind = 'intent' | 'pause' | 'interval-change';
export type DueRef = {
  readonly kind: DueKind;
  readonly shopId: ShopId;
  /** Epoch milliseconds. */
  readonly dueAtMs: number;
  /** Which one of the store's that are due then: a contract's number, an entry's. */
  readonly name: string;
  /** Where several may want one place: whose it is. Only with this id it is removed. */
  readonly id?: string;
};
export type DueItem = DueRef & { readonly payload: Readonly<Record<string, unknown>> };

export type DueItems = {
  /** Refused: there is one of this kind, time, store and name. */
  put(item: DueItem): Promise<'done' | 'refused'>;
  /** Consistent read. */
  find(ref: DueRef): Promise<DueItem | undefined>;
  /** Not being there, or another's being there, is no error. */
  remove(ref: DueRef): Promise<void>;
  /** All that are due at `nowMs`, of all stores, oldest first, consistently read. Remove what is done. */
  listDue(kind: DueKind, nowMs: number): AsyncGenerator<DueItem>;
};

const DAY_MS = 86_400_000;
/** Nobody's clock is this wrong, and no write this late: the mark never passes a bucket that may still fill. */
const LATE_MS = 3_600_000;
const AT_ONCE = 10;

/** Key of a due item. */
export function dueKey({ kind, shopId, dueAtMs, name }: DueRef): ItemKey {
  return { pk: bucketKey(kind, bucketOf(dueAtMs)), sk: `${timeKey(dueAtMs)}#${shopId}#${name}` };
}

/** Due items over the table. */
export function createDueItems({ table, now }: { readonly table: Table; now: () => number }): DueItems {
  const marked = new Set<DueKind>();
  return {
    async put({ payload, ...ref }) {
      const reachedMs = now() - LATE_MS;
      // The mark stays behind the clock for ever, so what lies ahead of it needs none of its own.
      if (!marked.has(ref.kind) || ref.dueAtMs < reachedMs) {
        const mark = { ...oldestKey(ref.kind), oldestBucket: bucketOf(Math.min(ref.dueAtMs, reachedMs)) };
        const condition = 'attribute_not_exists(pk) OR oldestBucket > :bucket';
        await table.put(mark, { condition, values: { ':bucket': mark.oldestBucket } });
        marked.add(ref.kind);
      }
      return table.put({ ...dueKey(ref), ...ref, payload }, { condition: 'attribute_not_exists(pk)' });
    },
    async find(ref) {
      const item = await table.get(dueKey(ref));
      return item && toDueItem(item);
    },
    async remove(ref) {
      const own = { condition: 'attribute_not_exists(pk) OR id = :id', values: { ':id': ref.id } };
      await table.delete(dueKey(ref), ref.id === undefined ? {} : own);
    },
    listDue: (kind, nowMs) => listDue(table, kind, nowMs),
  };
}

async function* listDue(table: Table, kind: DueKind, nowMs: number): AsyncGenerator<DueItem> {
  const mark = await table.get(oldestKey(kind));
  if (mark === undefined) return;
  const oldest = Number(mark.oldestBucket);
  const last = bucketOf(nowMs);
  let isEmptySoFar = true;
  let next = oldest;
  for (let from = oldest; from <= last; from += AT_ONCE) {
    const buckets = Array.from({ length: Math.min(AT_ONCE, last - from + 1) }, (_, index) => from + index);
    const pages = await Promise.all(buckets.map((bucket) => page(table, { kind, bucket, nowMs })));
    for (const [index, bucket] of buckets.entries()) {
      isEmptySoFar &&= pages[index]?.items.length === 0;
      if (isEmptySoFar && (bucket + 1) * DAY_MS + LATE_MS <= nowMs) next = bucket + 1;
      yield* bucketItems(table, { kind, bucket, nowMs }, pages[index]);
    }
  }
  if (next > oldest) await moveMark(table, kind, { from: oldest, to: next });
}

type Bucket = { readonly kind: DueKind; readonly bucket: number; readonly nowMs: number };
type Page = Awaited<ReturnType<Table['query']>>;

async function* bucketItems(table: Table, bucket: Bucket, first: Page | undefined): AsyncGenerator<DueItem> {
  let current = first;
  while (current !== undefined) {
    yield* current.items.map(toDueItem);
    current = current.nextKey && (await page(table, bucket, current.nextKey));
  }
}

function page(table: Table, { kind, bucket, nowMs }: Bucket, startKey?: Item): Promise<Page> {
  return table.query({
    keyCondition: 'pk = :pk AND sk < :after',
    values: { ':pk': bucketKey(kind, bucket), ':after': timeKey(nowMs + 1) },
    consistent: true,
    ...(startKey && { startKey }),
  });
}

/** Another run may have moved it already. */
async function moveMark(table: Table, kind: DueKind, { from, to }: { from: number; to: number }) {
  await table.update({
    key: oldestKey(kind),
    update: 'SET oldestBucket = :to',
    condition: 'oldestBucket = :from',
    values: { ':from': from, ':to': to },
  });
}

function oldestKey(kind: DueKind): ItemKey {
  return { pk: `DUE#${kind}`, sk: 'OLDEST' };
}

function bucketKey(kind: DueKind, bucket: number): string {
  return `DUE#${kind}#${bucket}`;
}

/** Days since the epoch. */
function bucketOf(dueAtMs: number): number {
  return Math.floor(dueAtMs / DAY_MS);
}

function timeKey(ms: number): string {
  return String(ms).padStart(13, '0');
}

function toDueItem(item: Item): DueItem {
  const { kind, shopId, dueAtMs, name, id, payload } = item;
  return { kind, shopId, dueAtMs, name, ...(id !== undefined && { id }), payload } as DueItem;
}
