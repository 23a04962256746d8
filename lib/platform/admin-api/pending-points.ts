/** The points of each store that a container is about to spend: the platform's last response does not show them. */
import type { ShopId } from '../../domain/shop-id.ts';

/** Points of a request without a response, or what is left of a reservation. */
export type PendingPoints = { points: number };

/** Creates the list of the points that requests in progress will cost, by store. It is empty at first. */
export function createPendingPoints() {
  const pendingByStore = new Map<ShopId, Set<PendingPoints>>();
  return {
    add(shopId: ShopId, points: number): PendingPoints {
      const own = { points };
      pendingByStore.set(shopId, (pendingByStore.get(shopId) ?? new Set()).add(own));
      return own;
    },
    remove(shopId: ShopId, pending: PendingPoints): void {
      const all = pendingByStore.get(shopId);
      all?.delete(pending);
      if (all?.size === 0) pendingByStore.delete(shopId);
    },
    /** Counts the store's points that were added before `own`; all of them without it. */
    count(shopId: ShopId, own?: PendingPoints): number {
      let pendingTotal = 0;
      for (const pending of pendingByStore.get(shopId) ?? []) {
        if (pending === own) break;
        pendingTotal += pending.points;
      }
      return pendingTotal;
    },
  };
}
