/**
 * The platform's leaky bucket of each store, learned from its responses, so that a request that cannot fit waits or
 * is rejected here. One customer gets at most a third, so that no customer can starve a store. A container has no
 * queue; it remembers the points of requests in progress, and the scheduled retries.
 */
import type { CustomerId } from '../../domain/customer-id.ts';
import { createLruCache, type LruCache } from '../../domain/lru-cache.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import type { CustomerQuotaRef } from '../../storage/sessions/session-record.ts';
import type { PlatformCost } from './admin-response.ts';
import type { CustomerConsumer, PointsConsumer, QuotaOwner } from './points-consumer.ts';

/** How long a request has to wait; `never`: it costs more than the bucket holds. */
type PointsAdmission = PointsAdmissionWait | 'never';
/**
 * `storeMs`: until the store has the points; `ownMs`: until the customer's quota has them; `waitMs`: until both, and
 * until the scheduled retries of other customers.
 */
type PointsAdmissionWait = { readonly storeMs: number; readonly ownMs: number; readonly waitMs: number };

export type ThrottleBuckets = {
  /** Returns how long a request of `cost` points has to wait. A request for an unknown store always fits. */
  admit(consumer: PointsConsumer, cost: number): PointsAdmission;
  /**
   * Schedules the retry of a client request that is rejected because it cannot wait for points. Until then, its points are
   * kept from other customers.
   * @param cost the points of the platform request that does not fit; those before it are `consumer.earlierPoints`
   * @returns in how many milliseconds the client may retry
   */
  scheduleRetryMs(consumer: PointsConsumer, cost: number): number;
  /** Reserves the points of an admitted request. Call it right after `admit`, before another request is admitted. */
  reserve(consumer: PointsConsumer, cost: number): PointsReservation;
  /** Returns the part of the store's bucket that is left, 0 to 1; 1 for an unknown store. */
  leftRatioOf(shopId: ShopId): number;
  /**
   * Returns the bucket of the customer's store. `spent`: the points of the customer's quota that this container has
   * used.
   */
  quotaOwnerOf(ref: CustomerQuotaRef): QuotaOwner & { readonly spent: number };
};

export type PointsReservation = {
  /** Ends the reservation with the state of the bucket in the response. Undefined when no response states it. */
  end(reported: PlatformCost | undefined): void;
  /** Returns the points of a request that was not sent. */
  cancel(): void;
};

type StoreBucket = {
  maximum: number;
  available: number;
  ratePerSecond: number;
  atMs: number;
  /** The end of all scheduled retries, and the time of each customer's retry. */
  retryAllowedAtMs: number;
  readonly promises: Map<CustomerId, number>;
};

/**
 * The ratio of a store's points that one customer may consume: of a full bucket, and of the points restored each
 * second.
 */
export const MAX_BUCKET_RATIO_PER_CUSTOMER = 1 / 3;
/**
 * How many rejected requests of one customer get a later `Retry-After` each, so that they do not all return for the same
 * points. Further requests get the time of the last: otherwise each rejection would delay the customer's next request
 * more, without limit.
 */
const MAX_SPACED_RETRIES = 4;
const MAX_CACHED_BUCKETS = 5_000;
const MAX_SCHEDULED_RETRIES = 1_000;
const MAX_CACHED_CUSTOMER_USAGES = 20_000;

type BucketsState = {
  readonly now: () => number;
  readonly buckets: LruCache<ShopId, StoreBucket>;
  /** The points of each store's requests in progress. */
  readonly pending: Map<ShopId, number>;
  readonly shares: ReturnType<typeof createUsageByCustomer>;
};

/** Creates the buckets of a container. */
export function createThrottleBuckets({ now }: { readonly now: () => number }): ThrottleBuckets {
  const bucketsState: BucketsState = {
    now,
    buckets: createLruCache<ShopId, StoreBucket>(MAX_CACHED_BUCKETS),
    pending: new Map(),
    shares: createUsageByCustomer(now),
  };
  return {
    admit: (consumer, cost) => computeAdmission(bucketsState, consumer, cost),
    reserve(consumer, cost) {
      addPendingPoints(bucketsState, consumer, cost);
      subtractPoints(bucketsState, consumer, cost);
      return {
        end(reported) {
          addPendingPoints(bucketsState, consumer, -cost);
          if (reported !== undefined)
            recordReportedBucket(bucketsState, consumer, { reported, reserved: cost });
        },
        cancel() {
          addPendingPoints(bucketsState, consumer, -cost);
          returnReservedPoints(bucketsState, consumer, cost);
        },
      };
    },
    scheduleRetryMs: (consumer, cost) => scheduleRetryMs(bucketsState, consumer, cost),
    leftRatioOf(shopId) {
      const bucket = bucketsState.buckets.get(shopId);
      return bucket === undefined ? 1 : availablePointsOf(bucketsState, bucket) / bucket.maximum;
    },
    quotaOwnerOf({ shopId, customerId }) {
      const { maximum = 0, ratePerSecond = 0 } = bucketsState.buckets.get(shopId) ?? {};
      const spentPoints = bucketsState.shares.spentBy({ ref: { shopId, customerId }, ratePerSecond });
      return { shopId, customerId, maximum, ratePerSecond, spent: spentPoints };
    },
  };
}

function findOrAddBucket({ buckets }: BucketsState, { shopId }: PointsConsumer): StoreBucket {
  const existingBucket = buckets.get(shopId);
  if (existingBucket !== undefined) return existingBucket;
  const newBucket = {
    maximum: 0,
    available: 0,
    ratePerSecond: 0,
    atMs: 0,
    retryAllowedAtMs: 0,
    promises: new Map<CustomerId, number>(),
  };
  buckets.set(shopId, newBucket);
  return newBucket;
}

function computeAdmission(state: BucketsState, consumer: PointsConsumer, cost: number): PointsAdmission {
  const storeBucket = state.buckets.get(consumer.shopId);
  if (storeBucket === undefined) return { storeMs: 0, ownMs: 0, waitMs: 0 };
  if (cost > storeBucket.maximum) return 'never';
  const maxCustomerPoints = storeBucket.maximum * MAX_BUCKET_RATIO_PER_CUSTOMER;
  const { customerId } = consumer;
  const isSentByCustomer = customerId !== undefined;
  // A single query above the third runs alone: when the bucket is full.
  const neededPoints = isSentByCustomer && cost > maxCustomerPoints ? storeBucket.maximum : cost;
  const storeMs = msToRestorePoints(
    neededPoints - availablePointsOf(state, storeBucket),
    storeBucket.ratePerSecond,
  );
  const isWaiting = isSentByCustomer && !consumer.isLetIn;
  const ownMs = isWaiting ? msUntilQuotaFits(state, { ...consumer, customerId }, storeBucket) : 0;
  const promisesMs =
    isWaiting && !consumer.hasWaited ? scheduledRetryWaitMs(state, consumer, storeBucket) : 0;
  return { storeMs, ownMs, waitMs: Math.max(storeMs, ownMs, promisesMs) };
}

/**
 * Returns how long the customer has to wait until its use is within its quota. The table's record decides while
 * there is one, so that all containers compute the same time.
 */
function msUntilQuotaFits({ shares, now }: BucketsState, ref: CustomerConsumer, bucket: StoreBucket): number {
  const maxCustomerPoints = bucket.maximum * MAX_BUCKET_RATIO_PER_CUSTOMER;
  const quotaWaitMs = (ref.quotaFreeAtMs ?? 0) - now();
  if (quotaWaitMs > 0) return Math.max(0, quotaWaitMs - msToRestoreCustomerPoints(bucket, maxCustomerPoints));
  return msToRestoreCustomerPoints(
    bucket,
    shares.spentBy({ ref, ratePerSecond: bucket.ratePerSecond }) - maxCustomerPoints,
  );
}

function msToRestorePoints(points: number, ratePerSecond: number): number {
  return Math.ceil((Math.max(0, points) / ratePerSecond) * 1000);
}

/**
 * Schedules the retry of a rejected request. A customer has one scheduled retry per store: a further request, or an
 * exceeded quota, delays no other customer.
 */
function scheduleRetryMs(state: BucketsState, refused: PointsConsumer, cost: number): number {
  const { customerId, earlierPoints = 0 } = refused;
  const storeBucket = findOrAddBucket(state, refused);
  const nowMs = state.now();
  const admission = computeAdmission(state, { ...refused, isLetIn: false }, cost);
  if (admission === 'never') return 0;
  if (customerId === undefined) return admission.waitMs;
  const consumer = { ...refused, customerId };
  const { ownMs } = admission;
  const fullMs = msToRestorePoints(
    storeBucket.maximum - availablePointsOf(state, storeBucket),
    storeBucket.ratePerSecond,
  );
  const storeMs = Math.min(
    fullMs,
    admission.storeMs + msToRestorePoints(earlierPoints, storeBucket.ratePerSecond),
  );
  const reservedMs = storeBucket.promises.get(customerId) ?? 0;
  if (reservedMs > nowMs) return Math.max(reservedMs - nowMs, ownMs);
  const placeMs = Math.max(nowMs + storeMs, storeBucket.retryAllowedAtMs);
  // A wait for the customer's own quota, or for a full bucket, delays no other customer.
  if (nowMs + ownMs > placeMs) return spacedRetryMs(state, consumer, { bucket: storeBucket, cost, ownMs });
  if (cost > storeBucket.maximum * MAX_BUCKET_RATIO_PER_CUSTOMER) return Math.max(storeMs, ownMs);
  storeBucket.retryAllowedAtMs = placeMs + (cost / Math.max(1, storeBucket.ratePerSecond)) * 1000;
  if (storeBucket.promises.size >= MAX_SCHEDULED_RETRIES) storeBucket.promises.clear();
  storeBucket.promises.set(customerId, placeMs);
  return placeMs - nowMs;
}

type RejectedPointsRequest = { readonly bucket: StoreBucket; readonly cost: number; readonly ownMs: number };

/**
 * Returns when a request that exceeds the customer's own quota may be sent again, in milliseconds. Concurrent requests get
 * successive times: the first consumes the restored points.
 */
function spacedRetryMs(
  { shares, now }: BucketsState,
  ref: CustomerConsumer,
  { bucket, cost, ownMs }: RejectedPointsRequest,
): number {
  const nowMs = now();
  const customerUsage = shares.shareOf({ ref, ratePerSecond: bucket.ratePerSecond });
  const eachMs = msToRestoreCustomerPoints(bucket, Math.max(cost, ref.claimedPoints ?? 0));
  const maxMs = ownMs + (MAX_SPACED_RETRIES - 1) * eachMs;
  const nextMs =
    customerUsage.learnedMs > nowMs ? Math.max(ownMs, customerUsage.learnedMs + eachMs - nowMs) : ownMs;
  const ms = Math.min(nextMs, maxMs);
  customerUsage.learnedMs = Math.max(customerUsage.learnedMs, nowMs + ms);
  return ms;
}

/** Returns 0 for a customer whose scheduled retry has come. Others wait until all scheduled retries are over. */
function scheduledRetryWaitMs(
  { now }: BucketsState,
  { customerId }: PointsConsumer,
  bucket: StoreBucket,
): number {
  const { promises, retryAllowedAtMs } = bucket;
  const atMs = customerId === undefined ? undefined : promises.get(customerId);
  if (atMs !== undefined && now() >= atMs) return 0;
  return Math.max(0, Math.ceil(retryAllowedAtMs - now()));
}

function subtractPoints(state: BucketsState, consumer: PointsConsumer, cost: number): void {
  const bucket = state.buckets.get(consumer.shopId);
  if (bucket === undefined) return;
  bucket.available = Math.max(0, availablePointsOf(state, bucket) - cost);
  if (consumer.customerId !== undefined) bucket.promises.delete(consumer.customerId);
  bucket.atMs = state.now();
  addCustomerUsage(state, consumer, cost);
}

type ReportedCost = { readonly reported: PlatformCost; readonly reserved: number };

/** Records the state of the bucket. The platform may not have counted requests that are still in progress. */
function recordReportedBucket(
  state: BucketsState,
  consumer: PointsConsumer,
  { reported, reserved }: ReportedCost,
): void {
  const { throttleStatus, actualQueryCost } = reported;
  const { maximumAvailable, currentlyAvailable, restoreRate } = throttleStatus;
  if (maximumAvailable <= 0 || restoreRate <= 0) return;
  const bucket = findOrAddBucket(state, consumer);
  bucket.maximum = maximumAvailable;
  bucket.available = currentlyAvailable - (state.pending.get(consumer.shopId) ?? 0);
  bucket.ratePerSecond = restoreRate;
  bucket.atMs = state.now();
  addCustomerUsage(state, consumer, (actualQueryCost ?? 0) - reserved);
}

function returnReservedPoints(state: BucketsState, consumer: PointsConsumer, cost: number): void {
  const bucket = state.buckets.get(consumer.shopId);
  if (bucket === undefined) return;
  bucket.available = Math.min(bucket.maximum, bucket.available + cost);
  addCustomerUsage(state, consumer, -cost);
}

function addPendingPoints({ pending }: BucketsState, { shopId }: PointsConsumer, points: number): void {
  const sum = (pending.get(shopId) ?? 0) + points;
  if (sum > 0) pending.set(shopId, sum);
  else pending.delete(shopId);
}

function availablePointsOf(
  { now }: BucketsState,
  { maximum, available, ratePerSecond, atMs }: StoreBucket,
): number {
  return Math.min(maximum, available + ((now() - atMs) / 1000) * ratePerSecond);
}

function addCustomerUsage(
  { shares, buckets }: BucketsState,
  { shopId, customerId }: PointsConsumer,
  points: number,
): void {
  const bucket = buckets.get(shopId);
  if (customerId === undefined || bucket === undefined) return;
  shares.add({ ref: { shopId, customerId }, ratePerSecond: bucket.ratePerSecond }, points);
}

/**
 * The points of its quota that one customer has used in this container, less those restored until `atMs`. `learnedMs`:
 * the latest time (epoch milliseconds) that a rejected request of the customer was told to retry at.
 */
type CustomerUsage = { spent: number; atMs: number; learnedMs: number };
/** The customer, and the points that come back to the store each second. */
type QuotaShareOwner = { readonly ref: CustomerQuotaRef; readonly ratePerSecond: number };

type UsageByCustomer = { readonly now: () => number; readonly shares: LruCache<string, CustomerUsage> };

/** Creates the record of what customers have consumed in this container. */
function createUsageByCustomer(now: () => number) {
  const usageState = { now, shares: createLruCache<string, CustomerUsage>(MAX_CACHED_CUSTOMER_USAGES) };
  return {
    spentBy: (quotaOwner: QuotaShareOwner) =>
      spentPointsOf(usageState, usageState.shares.get(usageKeyOf(quotaOwner)), quotaOwner),
    add(quotaOwner: QuotaShareOwner, points: number) {
      const customerUsage = updateUsageOf(usageState, quotaOwner);
      customerUsage.spent = Math.max(0, customerUsage.spent + points);
    },
    shareOf: (quotaOwner: QuotaShareOwner) => updateUsageOf(usageState, quotaOwner),
  };
}

/** Returns the milliseconds in which a customer's share of the bucket restores these points. */
function msToRestoreCustomerPoints(
  { ratePerSecond }: Pick<QuotaShareOwner, 'ratePerSecond'>,
  points: number,
): number {
  return Math.ceil((Math.max(0, points) / (ratePerSecond * MAX_BUCKET_RATIO_PER_CUSTOMER)) * 1000);
}

function updateUsageOf(state: UsageByCustomer, quotaOwner: QuotaShareOwner): CustomerUsage {
  const key = usageKeyOf(quotaOwner);
  const customerUsage = state.shares.get(key) ?? { spent: 0, atMs: 0, learnedMs: 0 };
  customerUsage.spent = spentPointsOf(state, customerUsage, quotaOwner);
  customerUsage.atMs = state.now();
  state.shares.set(key, customerUsage);
  return customerUsage;
}

function spentPointsOf(
  { now }: UsageByCustomer,
  share: CustomerUsage | undefined,
  { ratePerSecond }: QuotaShareOwner,
): number {
  if (share === undefined) return 0;
  const restoredPoints = ((now() - share.atMs) / 1000) * ratePerSecond * MAX_BUCKET_RATIO_PER_CUSTOMER;
  return Math.max(0, share.spent - restoredPoints);
}

function usageKeyOf({ ref: { shopId, customerId } }: QuotaShareOwner): string {
  return `${shopId}/${customerId}`;
}
