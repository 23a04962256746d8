/**
 * The queue of stores with work. Writers enqueue the store before they write the work; workers lease queued stores.
 * Queue entry and lease are one item: after a crash the lease expires, and no work lacks its queue item.
 */
import { awaitAll } from '../../domain/await-all.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { queryAllPages } from '../query-all.ts';
import type { Item, ItemKey, Table } from '../table.ts';

export type WorkKind = 'billing' | 'store-events' | 'webhook-deliveries';

export type WorkQueue = ReturnType<typeof createWorkQueue>;

type Deps = { readonly table: Table; readonly now: () => number; readonly newId: () => string };

/**
 * The queue items of a kind are distributed over these keys. They must never become fewer: items of the removed keys
 * would not be found.
 */
const QUEUE_SHARDS = Array.from({ length: 8 }, (_, shard) => shard);
const MAX_ENQUEUE_ATTEMPTS = 5;
const WORK_LEASE_MS = 60_000;
/** The time after which a writer that enqueued a store has written its work, or never will. */
const REPOLL_AFTER_ENQUEUE_MS = 60_000;

const LEASE_FREE_CONDITION = '(attribute_not_exists(leaseUntilMs) OR leaseUntilMs <= :now)';
const QUEUE_ITEM_DUE_CONDITION = '(attribute_exists(wokenAtMs) OR nextAtMs <= :now OR lookAtMs <= :now)';

/** Creates the queue over the table. Methods throw TEMPORARILY_UNAVAILABLE. */
export function createWorkQueue({ table, now, newId }: Deps) {
  return {
    /**
     * Enqueues a store: due immediately, or at `notBeforeMs` (epoch milliseconds), and never later than an earlier
     * entry. Call it immediately before the work is written, or after: a worker polls again a minute after it found no
     * more work.
     */
    enqueue(kind: WorkKind, shopId: ShopId, notBeforeMs = 0): Promise<void> {
      const key = storeQueueItemKey(kind, shopId);
      return notBeforeMs <= now()
        ? enqueueStoreNow(table, { key, shopId, id: newId(), nowMs: now() })
        : enqueueStoreAt(table, { key, shopId, id: newId(), dueAtMs: notBeforeMs });
    },
    /** Leases due stores, one for each step of the generator, the longest waiting first. */
    async *leaseStores(kind: WorkKind): AsyncGenerator<WorkLease> {
      for (const { shopId } of await listDueQueueItems(table, kind, now())) {
        const [nowMs, token] = [now(), newId()];
        const untilMs = nowMs + WORK_LEASE_MS;
        const leaseResult = await table.update({
          key: storeQueueItemKey(kind, shopId as ShopId),
          update: 'SET leaseToken = :token, leaseUntilMs = :until',
          condition: `attribute_exists(id) AND ${LEASE_FREE_CONDITION} AND ${QUEUE_ITEM_DUE_CONDITION}`,
          values: { ':token': token, ':until': untilMs, ':now': nowMs },
          writtenValues: { leaseToken: token },
        });
        if (leaseResult.outcome === 'done') yield createWorkLease({ table, now }, leaseResult.item, nowMs);
      }
    },
  };
}

type StoreToEnqueue = { readonly key: ItemKey; readonly shopId: ShopId; readonly id: string };

/** The presence of `wokenAtMs` makes the item due, so a writer's clock that is ahead delays nothing. One write. */
async function enqueueStoreNow(
  table: Table,
  { key, shopId, id, nowMs }: StoreToEnqueue & { readonly nowMs: number },
) {
  await table.update({
    key,
    update: 'SET shopId = :shopId, id = :id, wokenAtMs = if_not_exists(wokenAtMs, :now)',
    values: { ':shopId': shopId, ':id': id, ':now': nowMs },
  });
}

/**
 * Enqueues a store for a time in the future. If it is queued already, its due time can only become earlier. The new id
 * prevents that a worker with a lease deletes the item.
 */
async function enqueueStoreAt(
  table: Table,
  { key, shopId, id, dueAtMs }: StoreToEnqueue & { readonly dueAtMs: number },
) {
  for (let attemptsMade = 0; attemptsMade < MAX_ENQUEUE_ATTEMPTS; attemptsMade++) {
    const queueItemValues = { ':shopId': shopId, ':id': id, ':at': dueAtMs };
    const notDueByThenCondition = 'attribute_not_exists(nextAtMs) OR nextAtMs > :at';
    const setExpression = 'SET shopId = :shopId, id = :id';
    const earlierUpdate = {
      key,
      update: `${setExpression}, nextAtMs = :at`,
      condition: notDueByThenCondition,
      values: queueItemValues,
    };
    if ((await table.update(earlierUpdate)).outcome === 'done') return;
    const keepTimeUpdate = {
      key,
      update: setExpression,
      condition: 'nextAtMs <= :at',
      values: queueItemValues,
    };
    if ((await table.update(keepTimeUpdate)).outcome === 'done') return;
  }
  throw new ServiceError('TEMPORARILY_UNAVAILABLE');
}

async function listDueQueueItems(table: Table, kind: WorkKind, nowMs: number): Promise<Item[]> {
  const queueItems = await awaitAll(
    QUEUE_SHARDS.map((shard) => {
      const dueQuery = {
        keyCondition: 'pk = :pk',
        values: { ':pk': `WAKE#${kind}#${shard}` },
        consistent: true,
      };
      return Array.fromAsync(queryAllPages(table, dueQuery));
    }),
  );
  const isItemDue = (item: Item) => queueItemDueAtMs(item) <= nowMs || item.wokenAtMs !== undefined;
  const isNotLeased = ({ leaseUntilMs = 0 }: Item) => Number(leaseUntilMs) <= nowMs;
  return queueItems
    .flat()
    .filter((item) => isItemDue(item) && isNotLeased(item))
    .sort((one, other) => queueItemDueAtMs(one) - queueItemDueAtMs(other));
}

function queueItemDueAtMs({ wokenAtMs, nextAtMs, lookAtMs }: Item): number {
  return Math.min(...[wokenAtMs, nextAtMs, lookAtMs].map((time) => Number(time ?? Infinity)));
}

/** Returns the key of a store's queue item. */
function storeQueueItemKey(kind: WorkKind, shopId: ShopId): ItemKey {
  return { pk: `WAKE#${kind}#${shopId % QUEUE_SHARDS.length}`, sk: String(shopId) };
}

/**
 * One worker's lease of a queued store. Releasing the lease deletes the queue item only if its id is unchanged, so
 * work queued in the meantime is processed. An expired lease changes nothing.
 */
export type WorkLease = {
  readonly shopId: ShopId;
  /**
   * Extends the lease by a minute.
   * @returns false when it was lost; the work has to stop
   */
  renew(): Promise<boolean>;
  /**
   * Ends the lease: all work is done, or the rest has to wait until `nextAtMs` (epoch milliseconds).
   * @returns `done`, or the other outcome when new work was queued since the lease was taken: the store is then due
   * again
   */
  complete(nextAtMs?: number): Promise<'done' | 'woken'>;
  /**
   * Ends the lease with unfinished work: the store is due immediately, or not before `notBeforeMs`, even if new work
   * is queued.
   */
  release(notBeforeMs?: number): Promise<void>;
};

/** Creates the lease of a queue item, taken at `leasedAtMs`. Methods throw TEMPORARILY_UNAVAILABLE. */
function createWorkLease(
  { table, now }: Pick<Deps, 'table' | 'now'>,
  item: Item,
  leasedAtMs: number,
): WorkLease {
  const { pk, sk, id, leaseToken } = item;
  const shopId = item.shopId as ShopId;
  const key: ItemKey = { pk, sk };
  const ownLeaseCondition = 'leaseToken = :token';
  const updateItem = (update: string, times: Readonly<Record<string, number>> = {}) =>
    table.update({ key, update, condition: ownLeaseCondition, values: { ':token': leaseToken, ...times } });
  return {
    shopId,
    async renew() {
      const { outcome } = await updateItem('SET leaseUntilMs = :until', { ':until': now() + WORK_LEASE_MS });
      return outcome === 'done';
    },
    async complete(requestedPollAtMs) {
      const leaseValues = { ':token': leaseToken, ':id': id };
      const unchangedCondition = { condition: `${ownLeaseCondition} AND id = :id`, values: leaseValues };
      const dueTimes = computeNextDueTimes(item, { leasedAtMs, requestedPollAtMs });
      const writeOutcome =
        dueTimes === undefined
          ? await table.delete(key, unchangedCondition)
          : await table.put({ ...key, shopId, id, ...dueTimes }, unchangedCondition);
      if (writeOutcome === 'done') return 'done';
      // New work was queued in the meantime: the store is taken again, after the stores that have waited longer.
      await updateItem('SET wokenAtMs = :now REMOVE leaseToken, leaseUntilMs', { ':now': now() });
      return 'woken';
    },
    async release(notBeforeMs) {
      // With `notBeforeMs` the lease stays until then, without an owner, so that no worker takes the store earlier.
      if (notBeforeMs === undefined) await updateItem('REMOVE leaseToken, leaseUntilMs');
      else await updateItem('SET leaseUntilMs = :until REMOVE leaseToken', { ':until': notBeforeMs });
    },
  };
}

/**
 * Returns when the store is polled again. A time that was still ahead when the item was leased remains valid. Each id
 * is polled twice, a minute apart, because its work may have been written after the first poll.
 * @returns undefined when the item can be deleted
 */
function computeNextDueTimes(
  { id, lookedId, lookedAtMs, nextAtMs }: Item,
  {
    leasedAtMs,
    requestedPollAtMs,
  }: { readonly leasedAtMs: number; readonly requestedPollAtMs: number | undefined },
) {
  const scheduledAtMs = Number(nextAtMs) > leasedAtMs ? Number(nextAtMs) : Infinity;
  const nextDueAtMs = Math.min(scheduledAtMs, requestedPollAtMs ?? Infinity);
  const firstPollAtMs = lookedId === id ? Number(lookedAtMs) : leasedAtMs;
  const secondPollAtMs = firstPollAtMs + REPOLL_AFTER_ENQUEUE_MS;
  const isSecondPollDone = leasedAtMs >= secondPollAtMs;
  if (isSecondPollDone && nextDueAtMs === Infinity) return undefined;
  return {
    ...(nextDueAtMs < Infinity && { nextAtMs: nextDueAtMs }),
    ...(!isSecondPollDone && { lookAtMs: secondPollAtMs }),
    ...{ lookedId: id, lookedAtMs: firstPollAtMs },
  };
}
