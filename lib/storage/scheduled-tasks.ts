/**
 * Tasks with a time, such as open intents, timed pauses and expiring grants, which the scheduled work does when they are
 * due. The items are stored in buckets of a day, and a pointer item has the oldest bucket that may contain items. A
 * bucket has several partition keys, by store: one key accepts 1,000 writes a second, and every change writes twice
 * (docs/growth.md).
 */
import { awaitAll } from '../domain/await-all.ts';
import type { ShopId } from '../domain/shop-id.ts';
import { queryAllPages } from './query-all.ts';
import type { Item, ItemKey, QuerySelection, Table } from './table.ts';

/** @internal A test creates items of each kind. */
export type ScheduledTaskKind =
  | 'intent'
  | 'charge'
  | 'pause'
  | 'postponement'
  | 'grant-renewal'
  | 'time-zone'
  | 'storefront-token'
  | 'erasure'
  | 'data-request';
export type ScheduledTaskRef = {
  readonly kind: ScheduledTaskKind;
  readonly shopId: ShopId;
  /** Epoch milliseconds. */
  readonly dueAtMs: number;
  /** Distinguishes a store's items of the same time: the number of a contract or an entry. */
  readonly name: string;
  /** The owner of the item, if several owners compete for the same key: only this id can remove it. */
  readonly id?: string;
};
export type ScheduledTask = ScheduledTaskRef & { readonly payload: Readonly<Record<string, unknown>> };

export type ScheduledTasks = {
  /** Puts an item. Refused when an item of this kind, time, store and name exists. */
  put(item: ScheduledTask): Promise<'done' | 'refused'>;
  /** Replaces the item with the same id. Refused when another owner's item exists. */
  replace(item: ScheduledTask & { readonly id: string }): Promise<'done' | 'refused'>;
  /** Finds an item with a consistent read. */
  find(ref: ScheduledTaskRef): Promise<ScheduledTask | undefined>;
  /** Removes an item. Does nothing when there is none, or it has another owner. */
  remove(ref: ScheduledTaskRef): Promise<void>;
  /**
   * Lists all items that are due at `nowMs`, of all stores or of one shard of them, oldest first, with consistent
   * reads. The caller removes finished items.
   */
  listDue(kind: ScheduledTaskKind, nowMs: number, shard?: StoreShard): AsyncGenerator<ScheduledTask>;
  /** Lists one store's items that are due in this span, including both ends, oldest first, with consistent reads. */
  listOfStore(kind: ScheduledTaskKind, shopId: ShopId, span: DueTimeSpan): AsyncGenerator<ScheduledTask>;
};

/**
 * A shard of the stores, with its own partition key in each bucket, so that several runs can divide the stores. From 0
 * to 7.
 */
export type StoreShard = number;

/** Epoch milliseconds. */
type DueTimeSpan = { readonly fromMs: number; readonly toMs: number };

const DAY_MS = 86_400_000;
/**
 * How long after its due time an item may still be written, including differences between clocks. The pointer stays at
 * least this long behind the present time, so that it never passes a bucket that may still get items.
 */
const MAX_TASK_WRITE_DELAY_MS = 3_600_000;
const BUCKET_READ_CONCURRENCY = 10;
/** The number of partition keys of a bucket. It must never decrease: items of the removed keys would not be found. */
export const PARTITION_KEYS_PER_BUCKET = 8;
/** All shards of the stores. */
export const STORE_SHARDS: readonly StoreShard[] = Array.from(
  { length: PARTITION_KEYS_PER_BUCKET },
  (_, shard) => shard,
);

/** The due tasks of a kind: of one shard, or of all stores if `shard` is undefined. */
type ScheduledTaskSelection = {
  readonly kind: ScheduledTaskKind;
  readonly nowMs: number;
  readonly shard?: StoreShard | undefined;
};

/**
 * Returns the shard that a store belongs to.
 * @internal Tests read the work of one shard.
 */
export function shardOfStore(shopId: ShopId): StoreShard {
  return shopId % PARTITION_KEYS_PER_BUCKET;
}

/** Returns the items for one run: the oldest that are due at `nowMs`, at most `maxCount`. */
export async function readDueTasks(
  { listDue }: Pick<ScheduledTasks, 'listDue'>,
  { kind, nowMs, shard, maxCount }: ScheduledTaskSelection & { readonly maxCount: number },
): Promise<ScheduledTask[]> {
  const dueTasks: ScheduledTask[] = [];
  for await (const item of listDue(kind, nowMs, shard)) {
    dueTasks.push(item);
    if (dueTasks.length >= maxCount) break;
  }
  return dueTasks;
}

/**
 * Yields all items that are due at `nowMs`, oldest first, in batches. Items with the same millisecond are in one batch,
 * which may therefore be larger. An item that is not removed after its batch does not appear in a later batch.
 */
export async function* readDueTasksInBatches(
  { listDue }: Pick<ScheduledTasks, 'listDue'>,
  { kind, nowMs, shard, batchSize }: ScheduledTaskSelection & { readonly batchSize: number },
): AsyncGenerator<readonly ScheduledTask[]> {
  let tasksOfBatch: ScheduledTask[] = [];
  for await (const item of listDue(kind, nowMs, shard)) {
    if (tasksOfBatch.length >= batchSize && item.dueAtMs !== tasksOfBatch.at(-1)?.dueAtMs) {
      yield tasksOfBatch;
      tasksOfBatch = [];
    }
    tasksOfBatch.push(item);
  }
  if (tasksOfBatch.length > 0) yield tasksOfBatch;
}

/** Returns the key of a scheduled task. */
export function scheduledTaskKey({ kind, shopId, dueAtMs, name }: ScheduledTaskRef): ItemKey {
  const pk = dueBucketPartition({ kind, bucket: dueBucketOf(dueAtMs), shard: shardOfStore(shopId) });
  return { pk, sk: `${formatDueSortKey(dueAtMs)}#${shopId}#${name}` };
}

/** Creates the access to the scheduled tasks in the table. */
export function createScheduledTaskRepository({
  table,
  now,
}: {
  readonly table: Table;
  now: () => number;
}): ScheduledTasks {
  /** The kinds whose pointer exists, because this process has written it or found it. */
  const kindsWithKnownPointer = new Set<ScheduledTaskKind>();
  return {
    async put({ payload, ...ref }) {
      const latestPointerMs = now() - MAX_TASK_WRITE_DELAY_MS;
      // The pointer is never later than `latestPointerMs`. Once it exists, only an item with an earlier due time must
      // move it.
      if (!kindsWithKnownPointer.has(ref.kind) || ref.dueAtMs < latestPointerMs) {
        const pointerItem = {
          ...oldestBucketPointerKey(ref.kind),
          oldestBucket: dueBucketOf(Math.min(ref.dueAtMs, latestPointerMs)),
        };
        const condition = 'attribute_not_exists(pk) OR oldestBucket > :bucket';
        await table.put(pointerItem, { condition, values: { ':bucket': pointerItem.oldestBucket } });
        kindsWithKnownPointer.add(ref.kind);
      }
      return table.put(
        { ...scheduledTaskKey(ref), ...ref, payload },
        { condition: 'attribute_not_exists(pk)' },
      );
    },
    replace: ({ payload, ...ref }) =>
      table.put(
        { ...scheduledTaskKey(ref), ...ref, payload },
        { condition: 'attribute_not_exists(pk) OR id = :id', values: { ':id': ref.id } },
      ),
    async find(ref) {
      const item = await table.get(scheduledTaskKey(ref));
      return item && toScheduledTask(item);
    },
    async remove(ref) {
      const sameOwnerCondition = {
        condition: 'attribute_not_exists(pk) OR id = :id',
        values: { ':id': ref.id },
      };
      await table.delete(scheduledTaskKey(ref), ref.id === undefined ? {} : sameOwnerCondition);
    },
    listDue: (kind, nowMs, shard) => listDueTasks(table, { kind, nowMs, shard }),
    async *listOfStore(kind, shopId, { fromMs, toMs }) {
      for (let dueBucket = dueBucketOf(fromMs); dueBucket <= dueBucketOf(toMs); dueBucket++) {
        const bucketShard = { kind, bucket: dueBucket, fromMs, nowMs: toMs, shard: shardOfStore(shopId) };
        for await (const item of queryAllPages(table, dueBucketSelection(bucketShard))) {
          if (item.shopId === shopId) yield toScheduledTask(item);
        }
      }
    },
  };
}

async function* listDueTasks(
  table: Table,
  { kind, nowMs, shard }: ScheduledTaskSelection,
): AsyncGenerator<ScheduledTask> {
  const shards = shard === undefined ? STORE_SHARDS : [shard];
  const otherShards = STORE_SHARDS.filter((shard) => !shards.includes(shard));
  const pointerItem = await table.get(oldestBucketPointerKey(kind));
  if (pointerItem === undefined) return;
  const oldestBucket = Number(pointerItem.oldestBucket);
  const lastBucket = dueBucketOf(nowMs);
  let isNoTaskFoundYet = true;
  let nextBucket = oldestBucket;
  for (let firstBucket = oldestBucket; firstBucket <= lastBucket; firstBucket += BUCKET_READ_CONCURRENCY) {
    const buckets = Array.from(
      { length: Math.min(BUCKET_READ_CONCURRENCY, lastBucket - firstBucket + 1) },
      (_, index) => firstBucket + index,
    );
    const pages = await awaitAll(
      buckets.map((bucket) => readFirstPagesOfBucket(table, { kind, bucket, nowMs }, shards)),
    );
    for (const [index, bucket] of buckets.entries()) {
      const firstPages = pages[index] ?? [];
      isNoTaskFoundYet &&= firstPages.every(({ items }) => items.length === 0);
      if (isNoTaskFoundYet && (bucket + 1) * DAY_MS + MAX_TASK_WRITE_DELAY_MS <= nowMs) {
        // The pointer applies to all shards, so it may pass the bucket only if the other shards have no items in it,
        // either.
        const firstPagesOfOtherShards = await readFirstPagesOfBucket(
          table,
          { kind, bucket, nowMs },
          otherShards,
        );
        isNoTaskFoundYet = firstPagesOfOtherShards.every(({ items }) => items.length === 0);
        if (isNoTaskFoundYet) nextBucket = bucket + 1;
      }
      yield* mergeDueTasksOldestFirst(
        firstPages.map((page, index) =>
          listDueTasksOfShard(table, { kind, bucket, nowMs, shard: shards[index] ?? 0 }, page),
        ),
      );
    }
  }
  if (nextBucket > oldestBucket)
    await moveOldestBucketPointer(table, kind, { from: oldestBucket, to: nextBucket });
}

/** The part of a bucket that is due from `fromMs` until `nowMs`. */
type DueBucket = {
  readonly kind: ScheduledTaskKind;
  readonly bucket: number;
  readonly fromMs?: number;
  readonly nowMs: number;
};
type DueBucketShard = DueBucket & { readonly shard: StoreShard };
type QueryPage = Awaited<ReturnType<Table['query']>>;

function readFirstPagesOfBucket(
  table: Table,
  bucket: DueBucket,
  shards: readonly StoreShard[],
): Promise<QueryPage[]> {
  return awaitAll(shards.map((shard) => table.query(dueBucketSelection({ ...bucket, shard }))));
}

async function* listDueTasksOfShard(
  table: Table,
  bucketShard: DueBucketShard,
  firstPage: QueryPage,
): AsyncGenerator<ScheduledTask> {
  yield* firstPage.items.map(toScheduledTask);
  if (firstPage.nextKey === undefined) return;
  const remainingSelection = { ...dueBucketSelection(bucketShard), startKey: firstPage.nextKey };
  for await (const item of queryAllPages(table, remainingSelection)) yield toScheduledTask(item);
}

/** Merges several sequences of items, each in the order of the due times, into one such sequence. */
async function* mergeDueTasksOldestFirst(
  sequences: readonly AsyncGenerator<ScheduledTask>[],
): AsyncGenerator<ScheduledTask> {
  const nextOfEachSequence: {
    readonly remainingTasks: AsyncGenerator<ScheduledTask>;
    readonly nextTask: ScheduledTask;
  }[] = [];
  const addNextOfSequence = async (remainingTasks: AsyncGenerator<ScheduledTask>) => {
    const { value, done } = await remainingTasks.next();
    if (!done) nextOfEachSequence.push({ remainingTasks, nextTask: value });
  };
  for (const sequence of sequences) await addNextOfSequence(sequence);
  while (nextOfEachSequence.length > 0) {
    nextOfEachSequence.sort((one, other) => one.nextTask.dueAtMs - other.nextTask.dueAtMs);
    const head = nextOfEachSequence.shift();
    if (head === undefined) return;
    yield head.nextTask;
    await addNextOfSequence(head.remainingTasks);
  }
}

function dueBucketSelection({ fromMs = 0, nowMs, ...shard }: DueBucketShard): QuerySelection {
  return {
    keyCondition: 'pk = :pk AND sk BETWEEN :from AND :after',
    values: {
      ':pk': dueBucketPartition(shard),
      ':from': formatDueSortKey(fromMs),
      ':after': formatDueSortKey(nowMs + 1),
    },
    consistent: true,
  };
}

/** Moves the pointer, unless another run has moved it. */
async function moveOldestBucketPointer(
  table: Table,
  kind: ScheduledTaskKind,
  { from, to }: { from: number; to: number },
) {
  await table.update({
    key: oldestBucketPointerKey(kind),
    update: 'SET oldestBucket = :to',
    condition: 'oldestBucket = :from',
    values: { ':from': from, ':to': to },
  });
}

function oldestBucketPointerKey(kind: ScheduledTaskKind): ItemKey {
  return { pk: `DUE#${kind}`, sk: 'OLDEST' };
}

function dueBucketPartition({ kind, bucket, shard }: Omit<DueBucketShard, 'fromMs' | 'nowMs'>): string {
  return `DUE#${kind}#${bucket}#${shard}`;
}

/** Returns the bucket of a due time: the number of days since the epoch. */
function dueBucketOf(dueAtMs: number): number {
  return Math.floor(dueAtMs / DAY_MS);
}

function formatDueSortKey(ms: number): string {
  return String(ms).padStart(13, '0');
}

function toScheduledTask(item: Item): ScheduledTask {
  const { kind, shopId, dueAtMs, name, id, payload } = item;
  return { kind, shopId, dueAtMs, name, ...(id !== undefined && { id }), payload } as ScheduledTask;
}
