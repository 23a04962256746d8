/**
 * The leaky bucket of each store. Points are restored over time, a request needs all its points, and unused points are
 * refunded.
 */
import type { StoreState } from '../../state/state.ts';

type ThrottleStatus = { maximumAvailable: number; currentlyAvailable: number; restoreRate: number };

export type PointBuckets = {
  /** Takes the points and returns true, or takes nothing and returns false. */
  take(store: StoreState, points: number, nowMs: number): boolean;
  refund(store: StoreState, points: number): void;
  status(store: StoreState, nowMs: number): ThrottleStatus;
  /** Throttles the next `count` requests of the shop, whatever its bucket has left. */
  throttleNext(shop: string, count: number): void;
  reset(): void;
};

type BucketLevel = { available: number; atMs: number };

type BucketLevels = Map<string, BucketLevel>;

/** Creates full buckets for all stores. */
export function createPointBuckets(): PointBuckets {
  const levelByStore: BucketLevels = new Map();
  const forcedThrottles = new Map<string, number>();
  return {
    take(store, points, nowMs) {
      const bucketLevel = computeLevel(levelByStore, store, nowMs);
      const forcedThrottlesLeft = forcedThrottles.get(store.shop) ?? 0;
      if (forcedThrottlesLeft > 0) {
        forcedThrottles.set(store.shop, forcedThrottlesLeft - 1);
        bucketLevel.available = 0;
        return false;
      }
      if (bucketLevel.available < points) return false;
      bucketLevel.available -= points;
      return true;
    },
    refund(store, points) {
      const bucketLevel = levelByStore.get(store.shop);
      if (bucketLevel === undefined) return;
      bucketLevel.available = Math.min(store.throttle.maximumAvailable, bucketLevel.available + points);
    },
    status(store, nowMs) {
      const { maximumAvailable, restoreRate } = store.throttle;
      const currentlyAvailable = Math.floor(computeLevel(levelByStore, store, nowMs).available);
      return { maximumAvailable, currentlyAvailable, restoreRate };
    },
    throttleNext: (shop, count) => void forcedThrottles.set(shop, count),
    reset() {
      levelByStore.clear();
      forcedThrottles.clear();
    },
  };
}

/**
 * Returns the current level of the store's bucket. A clock that was moved back restores nothing and becomes the new
 * start.
 */
function computeLevel(levels: BucketLevels, store: StoreState, nowMs: number): BucketLevel {
  const { maximumAvailable, restoreRate } = store.throttle;
  const bucketLevel = levels.get(store.shop) ?? { available: maximumAvailable, atMs: nowMs };
  const restoredPoints = (Math.max(0, nowMs - bucketLevel.atMs) / 1000) * restoreRate;
  const restoredLevel = {
    available: Math.min(maximumAvailable, bucketLevel.available + restoredPoints),
    atMs: nowMs,
  };
  levels.set(store.shop, restoredLevel);
  return restoredLevel;
}
