/** The points of each store that a container is about to spend: the platform's last response does not show them. */
import type { ShopId } from '../../domain/shop-id.ts';

/** The points of a request in progress, or the points of a reservation that are not spent yet. */
export type PendingPoints = { points: number };

/** Creates the points that requests in progress will cost, by store. They are empty at first. */
export function createPendingPoints() {
  const pendingByStore = new Map<ShopId, Set<PendingPoints>>();
  return {
    add(shopId: ShopId, points: number): PendingPoints {
      const addedPoints = { points };
      pendingByStore.set(shopId, (pendingByStore.get(shopId) ?? new Set()).add(addedPoints));
      return addedPoints;
    },
    remove(shopId: ShopId, pending: PendingPoints): void {
      const pendingOfStore = pendingByStore.get(shopId);
      pendingOfStore?.delete(pending);
      if (pendingOfStore?.size === 0) pendingByStore.delete(shopId);
    },
    /** Counts the store's pending points that were added before `ownPoints`, or all of them without it. */
    count(shopId: ShopId, ownPoints?: PendingPoints): number {
      let pendingTotal = 0;
      for (const pending of pendingByStore.get(shopId) ?? []) {
        if (pending === ownPoints) break;
        pendingTotal += pending.points;
      }
      return pendingTotal;
    },
  };
}
