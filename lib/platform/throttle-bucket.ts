/**
 * The platform's leaky bucket of each store, learnt from its answers, so that a request which cannot fit waits
 * here or is answered here. One customer gets at most a third of it, so that nobody starves a store.
 */
import { LRUCache } from 'lru-cache';
import type { CustomerId } from '../domain/customer-id.ts';
import type { ShopId } from '../domain/shop-id.ts';
import type { PlatformCost } from './admin-answer.ts';

/** Who spends: a store, and the customer if the request is a customer's. */
export type Spender = { readonly shopId: ShopId; readonly customerId: CustomerId | undefined };

/** How long a request has to wait; `never`: it asks for more than the bucket holds. */
export type Admission = { readonly waitMs: number } | 'never';

export type ThrottleBuckets = {
  /** Whether a request of `cost` points fits. An unknown store's requests always fit. */
  admit(spender: Spender, cost: number): Admission;
  /** The request is on its way: its points are gone until the answer tells better. */
  spend(spender: Spender, cost: number): void;
  /** What the platform's answer says about the bucket; `reserved` is what `spend` took for it. */
  learn(spender: Spender, cost: PlatformCost, reserved: number): void;
};

type Bucket = { maximum: number; available: number; ratePerSecond: number; atMs: number };
type Share = { spent: number; atMs: number };

const CUSTOMER_SHARE = 1 / 3;
const MAX_STORES = 5_000;
const MAX_CUSTOMERS = 20_000;

type State = {
  readonly now: () => number;
  readonly buckets: LRUCache<ShopId, Bucket>;
  /** What each customer has spent lately. */
  readonly shares: LRUCache<string, Share>;
};

/** The buckets of a container. */
export function createThrottleBuckets({ now }: { readonly now: () => number }): ThrottleBuckets {
  const state: State = {
    now,
    buckets: new LRUCache<ShopId, Bucket>({ max: MAX_STORES }),
    shares: new LRUCache<string, Share>({ max: MAX_CUSTOMERS }),
  };
  return {
    admit: (spender, cost) => admit(state, spender, cost),
    spend: (spender, cost) => spend(state, spender, cost),
    learn(spender, { throttleStatus, actualQueryCost }, reserved) {
      const { maximumAvailable, currentlyAvailable, restoreRate } = throttleStatus;
      if (maximumAvailable <= 0 || restoreRate <= 0) return;
      const bucket = bucketOf(state, spender);
      bucket.maximum = maximumAvailable;
      bucket.available = currentlyAvailable;
      bucket.ratePerSecond = restoreRate;
      bucket.atMs = now();
      addToShare(state, { spender, bucket, points: (actualQueryCost ?? 0) - reserved });
    },
  };
}

function bucketOf({ buckets }: State, { shopId }: Spender): Bucket {
  const known = buckets.get(shopId);
  if (known !== undefined) return known;
  const bucket = { maximum: 0, available: 0, ratePerSecond: 0, atMs: 0 };
  buckets.set(shopId, bucket);
  return bucket;
}

function admit(state: State, spender: Spender, cost: number): Admission {
  const bucket = state.buckets.get(spender.shopId);
  if (bucket === undefined) return { waitMs: 0 };
  if (cost > bucket.maximum) return 'never';
  const third = bucket.maximum * CUSTOMER_SHARE;
  const isCustomer = spender.customerId !== undefined;
  // A single query above the third runs alone: when the bucket is full.
  const needed = isCustomer && cost > third ? bucket.maximum : cost;
  const forStore = (needed - availableIn(state, bucket)) / bucket.ratePerSecond;
  const over = spentBy(state, spender, bucket) + Math.min(cost, third) - third;
  const forCustomer = isCustomer ? over / (bucket.ratePerSecond * CUSTOMER_SHARE) : 0;
  return { waitMs: Math.ceil(Math.max(0, forStore, forCustomer) * 1000) };
}

function spend(state: State, spender: Spender, cost: number): void {
  const bucket = state.buckets.get(spender.shopId);
  if (bucket === undefined) return;
  bucket.available = Math.max(0, availableIn(state, bucket) - cost);
  bucket.atMs = state.now();
  addToShare(state, { spender, bucket, points: cost });
}

function availableIn({ now }: State, { maximum, available, ratePerSecond, atMs }: Bucket): number {
  return Math.min(maximum, available + ((now() - atMs) / 1000) * ratePerSecond);
}

function spentBy({ now, shares }: State, spender: Spender, bucket: Bucket): number {
  const share = shares.get(shareKey(spender));
  if (share === undefined) return 0;
  const restored = ((now() - share.atMs) / 1000) * bucket.ratePerSecond * CUSTOMER_SHARE;
  return Math.max(0, share.spent - restored);
}

type Spent = { readonly spender: Spender; readonly bucket: Bucket; readonly points: number };

function addToShare(state: State, { spender, bucket, points }: Spent): void {
  if (spender.customerId === undefined) return;
  const spent = Math.max(0, spentBy(state, spender, bucket) + points);
  const atMs = state.now();
  const key = shareKey(spender);
  const share = state.shares.get(key);
  if (share === undefined) state.shares.set(key, { spent, atMs });
  else Object.assign(share, { spent, atMs });
}

function shareKey({ shopId, customerId }: Spender): string {
  return `${shopId}/${customerId}`;
}
