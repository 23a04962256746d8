/**
 * One worker's lease of a queued store. Releasing the lease deletes the queue item only if its id is unchanged, so
 * work queued in the meantime is processed. An expired lease changes nothing.
 */
import type { ShopId } from '../../domain/shop-id.ts';
import type { Item, ItemKey, Table } from '../table.ts';

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
  done(nextAtMs?: number): Promise<'done' | 'woken'>;
  /**
   * Ends the lease with unfinished work: the store is due immediately, or not before `notBeforeMs`, even if new work
   * is queued.
   */
  release(notBeforeMs?: number): Promise<void>;
};

export const LEASE_MS = 60_000;
/** A writer that enqueues a store before it writes the work has written it by then, or never will. */
const SECOND_READ_MS = 60_000;

type Deps = { readonly table: Table; readonly now: () => number };

/** Creates the lease of a queue item, taken at `takenAtMs`. Methods throw TEMPORARILY_UNAVAILABLE. */
export function createWorkLease({ table, now }: Deps, item: Item, takenAtMs: number): WorkLease {
  const { pk, sk, id, leaseToken } = item;
  const shopId = item.shopId as ShopId;
  const key: ItemKey = { pk, sk };
  const isOwn = 'leaseToken = :token';
  const change = (update: string, times: Readonly<Record<string, number>> = {}) =>
    table.update({ key, update, condition: isOwn, values: { ':token': leaseToken, ...times } });
  return {
    shopId,
    async renew() {
      const { outcome } = await change('SET leaseUntilMs = :until', { ':until': now() + LEASE_MS });
      return outcome === 'done';
    },
    async done(requestedAtMs) {
      const values = { ':token': leaseToken, ':id': id };
      const unchanged = { condition: `${isOwn} AND id = :id`, values };
      const reads = nextReads(item, { takenAtMs, requestedAtMs });
      const outcome =
        reads === undefined
          ? await table.delete(key, unchanged)
          : await table.put({ ...key, shopId, id, ...reads }, unchanged);
      if (outcome === 'done') return 'done';
      // New work was queued in the meantime: the store is taken again, after the stores that have waited longer.
      await change('SET wokenAtMs = :now REMOVE leaseToken, leaseUntilMs', { ':now': now() });
      return 'woken';
    },
    async release(notBeforeMs) {
      // A lease without an owner blocks all workers until then.
      if (notBeforeMs === undefined) await change('REMOVE leaseToken, leaseUntilMs');
      else await change('SET leaseUntilMs = :until REMOVE leaseToken', { ':until': notBeforeMs });
    },
  };
}

/**
 * Returns when the store is polled again. A time that was still ahead when the item was leased remains valid. Each id
 * is polled twice, a minute apart, because its work may have been written after the first poll.
 * @returns undefined when the item can be deleted
 */
function nextReads(
  { id, lookedId, lookedAtMs, nextAtMs }: Item,
  { takenAtMs, requestedAtMs }: { readonly takenAtMs: number; readonly requestedAtMs: number | undefined },
) {
  const scheduledAtMs = Number(nextAtMs) > takenAtMs ? Number(nextAtMs) : Infinity;
  const aheadMs = Math.min(scheduledAtMs, requestedAtMs ?? Infinity);
  const firstReadAtMs = lookedId === id ? Number(lookedAtMs) : takenAtMs;
  const lookAtMs = firstReadAtMs + SECOND_READ_MS;
  const isReadTwice = takenAtMs >= lookAtMs;
  if (isReadTwice && aheadMs === Infinity) return undefined;
  return {
    ...(aheadMs < Infinity && { nextAtMs: aheadMs }),
    ...(!isReadTwice && { lookAtMs }),
    ...{ lookedId: id, lookedAtMs: firstReadAtMs },
  };
}
