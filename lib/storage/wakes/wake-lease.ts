/**
 * One worker's lease of a woken store. Whoever ends it removes the mark only under the id that was taken: what was woken
 * since is taken again. A lease that was lost changes nothing any more.
 */
import type { ShopId } from '../../domain/shop-id.ts';
import type { Item, ItemKey, Table } from '../table.ts';

export type WakeLease = {
  readonly shopId: ShopId;
  /** Holds the lease for another minute; false: it was lost, and the work has to stop. */
  renew(): Promise<boolean>;
  /**
   * All was done that was there; or the rest has to wait until `nextAtMs` (epoch milliseconds). Returns `woken` when the store
   * has new work since the lease was taken: it is due.
   */
  done(nextAtMs?: number): Promise<'done' | 'woken'>;
  /** Gives the store back unfinished: at once, or not before `notBeforeMs`, whoever wakes it. */
  release(notBeforeMs?: number): Promise<void>;
};

export const LEASE_MS = 60_000;
/** A writer that wakes a store before it writes the work has written it by then, or never will. */
const LOOK_AGAIN_MS = 60_000;

type Deps = { readonly table: Table; readonly now: () => number };

/** The lease that `mark` tells of, taken at `takenAtMs`. Its calls: TEMPORARILY_UNAVAILABLE. */
export function createWakeLease({ table, now }: Deps, mark: Item, takenAtMs: number): WakeLease {
  const { pk, sk, id, leaseToken } = mark;
  const shopId = mark.shopId as ShopId;
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
    async done(wantedAtMs) {
      const values = { ':token': leaseToken, ':id': id };
      const unchanged = { condition: `${isOwn} AND id = :id`, values };
      const looks = nextLooks(mark, { takenAtMs, wantedAtMs });
      const outcome =
        looks === undefined
          ? await table.delete(key, unchanged)
          : await table.put({ ...key, shopId, id, ...looks }, unchanged);
      if (outcome === 'done') return 'done';
      // Woken meanwhile: it is taken again, after those who have waited since before.
      await change('SET wokenAtMs = :now REMOVE leaseToken, leaseUntilMs', { ':now': now() });
      return 'woken';
    },
    async release(notBeforeMs) {
      // A lease of nobody keeps all workers away until then.
      if (notBeforeMs === undefined) await change('REMOVE leaseToken, leaseUntilMs');
      else await change('SET leaseUntilMs = :until REMOVE leaseToken', { ':until': notBeforeMs });
    },
  };
}

/**
 * When the store is looked at again; undefined: never. A time that had not come when the mark was taken still counts. And
 * an id is looked at twice, a minute apart: its work may have been written after the first look.
 */
function nextLooks(
  { id, lookedId, lookedAtMs, nextAtMs }: Item,
  { takenAtMs, wantedAtMs }: { readonly takenAtMs: number; readonly wantedAtMs: number | undefined },
) {
  const keptAtMs = Number(nextAtMs) > takenAtMs ? Number(nextAtMs) : Infinity;
  const aheadMs = Math.min(keptAtMs, wantedAtMs ?? Infinity);
  const firstLookAtMs = lookedId === id ? Number(lookedAtMs) : takenAtMs;
  const lookAtMs = firstLookAtMs + LOOK_AGAIN_MS;
  const isLookedAtTwice = takenAtMs >= lookAtMs;
  if (isLookedAtTwice && aheadMs === Infinity) return undefined;
  return {
    ...(aheadMs < Infinity && { nextAtMs: aheadMs }),
    ...(!isLookedAtTwice && { lookAtMs }),
    ...{ lookedId: id, lookedAtMs: firstLookAtMs },
  };
}
