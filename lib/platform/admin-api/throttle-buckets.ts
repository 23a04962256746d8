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
 * `storeWaitMs`: until the store has the points; `quotaWaitMs`: until the customer's quota has them; `waitMs`: until
 * both, and until the scheduled retries of other customers.
 */
type PointsAdmissionWait = {
  readonly storeWaitMs: number;
  readonly quotaWaitMs: number;
  readonly waitMs: number;
};

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
   * Returns the bucket of the customer's store. `spentPoints` are the points of the customer's quota that this
   * container has used.
   */
  quotaOwnerOf(ref: CustomerQuotaRef): QuotaOwner & { readonly spentPoints: number };
};

export type PointsReservation = {
  /**
   * Ends the reservation, and records the state of the bucket in the response. `reportedCost` is undefined when no
   * response states it.
   */
  end(reportedCost: PlatformCost | undefined): void;
  /** Cancels the reservation of a request that was not sent, so that its points are available again. */
  cancel(): void;
};

type StoreBucket = {
  maximumPoints: number;
  availablePoints: number;
  pointsPerSecond: number;
  updatedAtMs: number;
  /** When the last scheduled retry has used the points that are reserved for it. */
  scheduledRetriesEndAtMs: number;
  readonly retryAtMsByCustomer: Map<CustomerId, number>;
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
  readonly pendingPointsByStore: Map<ShopId, number>;
  readonly customerUsages: ReturnType<typeof createUsageByCustomer>;
};

/** Creates the buckets of a container. */
export function createThrottleBuckets({ now }: { readonly now: () => number }): ThrottleBuckets {
  const bucketsState: BucketsState = {
    now,
    buckets: createLruCache<ShopId, StoreBucket>(MAX_CACHED_BUCKETS),
    pendingPointsByStore: new Map(),
    customerUsages: createUsageByCustomer(now),
  };
  return {
    admit: (consumer, cost) => computeAdmission(bucketsState, consumer, cost),
    reserve(consumer, cost) {
      addPendingPoints(bucketsState, consumer, cost);
      subtractPoints(bucketsState, consumer, cost);
      return {
        end(reportedCost) {
          addPendingPoints(bucketsState, consumer, -cost);
          if (reportedCost !== undefined)
            recordReportedBucket(bucketsState, consumer, { reportedCost, reservedPoints: cost });
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
      return bucket === undefined ? 1 : availablePointsOf(bucketsState, bucket) / bucket.maximumPoints;
    },
    quotaOwnerOf({ shopId, customerId }) {
      const { maximumPoints = 0, pointsPerSecond = 0 } = bucketsState.buckets.get(shopId) ?? {};
      const spentPoints = bucketsState.customerUsages.spentPointsBy({
        ref: { shopId, customerId },
        pointsPerSecond,
      });
      return { shopId, customerId, maximumPoints, pointsPerSecond, spentPoints };
    },
  };
}

function findOrAddBucket({ buckets }: BucketsState, { shopId }: PointsConsumer): StoreBucket {
  const existingBucket = buckets.get(shopId);
  if (existingBucket !== undefined) return existingBucket;
  const newBucket = {
    maximumPoints: 0,
    availablePoints: 0,
    pointsPerSecond: 0,
    updatedAtMs: 0,
    scheduledRetriesEndAtMs: 0,
    retryAtMsByCustomer: new Map<CustomerId, number>(),
  };
  buckets.set(shopId, newBucket);
  return newBucket;
}

function computeAdmission(state: BucketsState, consumer: PointsConsumer, cost: number): PointsAdmission {
  const storeBucket = state.buckets.get(consumer.shopId);
  if (storeBucket === undefined) return { storeWaitMs: 0, quotaWaitMs: 0, waitMs: 0 };
  if (cost > storeBucket.maximumPoints) return 'never';
  const maxCustomerPoints = storeBucket.maximumPoints * MAX_BUCKET_RATIO_PER_CUSTOMER;
  const { customerId } = consumer;
  const isSentByCustomer = customerId !== undefined;
  // A single query above the third runs alone: when the bucket is full.
  const neededPoints = isSentByCustomer && cost > maxCustomerPoints ? storeBucket.maximumPoints : cost;
  const storeWaitMs = msToRestorePoints(
    neededPoints - availablePointsOf(state, storeBucket),
    storeBucket.pointsPerSecond,
  );
  const isWaiting = isSentByCustomer && !consumer.hasAdmittedPart;
  const quotaWaitMs = isWaiting ? msUntilQuotaFits(state, { ...consumer, customerId }, storeBucket) : 0;
  const scheduledRetriesMs =
    isWaiting && !consumer.hasWaited ? scheduledRetryWaitMs(state, consumer, storeBucket) : 0;
  return { storeWaitMs, quotaWaitMs, waitMs: Math.max(storeWaitMs, quotaWaitMs, scheduledRetriesMs) };
}

/**
 * Returns how long the customer has to wait until its use is within its quota. The table's record decides while
 * there is one, so that all containers compute the same time.
 */
function msUntilQuotaFits(
  { customerUsages, now }: BucketsState,
  ref: CustomerConsumer,
  bucket: StoreBucket,
): number {
  const maxCustomerPoints = bucket.maximumPoints * MAX_BUCKET_RATIO_PER_CUSTOMER;
  const quotaWaitMs = (ref.quotaFreeAtMs ?? 0) - now();
  if (quotaWaitMs > 0) return Math.max(0, quotaWaitMs - msToRestoreCustomerPoints(bucket, maxCustomerPoints));
  return msToRestoreCustomerPoints(
    bucket,
    customerUsages.spentPointsBy({ ref, pointsPerSecond: bucket.pointsPerSecond }) - maxCustomerPoints,
  );
}

function msToRestorePoints(points: number, pointsPerSecond: number): number {
  return Math.ceil((Math.max(0, points) / pointsPerSecond) * 1000);
}

/**
 * Schedules the retry of a rejected request. A customer has one scheduled retry per store: a further request, or an
 * exceeded quota, delays no other customer.
 */
function scheduleRetryMs(state: BucketsState, rejectedConsumer: PointsConsumer, cost: number): number {
  const { customerId, earlierPoints = 0 } = rejectedConsumer;
  const storeBucket = findOrAddBucket(state, rejectedConsumer);
  const nowMs = state.now();
  const admission = computeAdmission(state, { ...rejectedConsumer, hasAdmittedPart: false }, cost);
  if (admission === 'never') return 0;
  if (customerId === undefined) return admission.waitMs;
  const consumer = { ...rejectedConsumer, customerId };
  const { quotaWaitMs } = admission;
  const msUntilFull = msToRestorePoints(
    storeBucket.maximumPoints - availablePointsOf(state, storeBucket),
    storeBucket.pointsPerSecond,
  );
  const storeWaitMs = Math.min(
    msUntilFull,
    admission.storeWaitMs + msToRestorePoints(earlierPoints, storeBucket.pointsPerSecond),
  );
  const scheduledRetryAtMs = storeBucket.retryAtMsByCustomer.get(customerId) ?? 0;
  if (scheduledRetryAtMs > nowMs) return Math.max(scheduledRetryAtMs - nowMs, quotaWaitMs);
  const retryAtMs = Math.max(nowMs + storeWaitMs, storeBucket.scheduledRetriesEndAtMs);
  // A wait for the customer's own quota, or for a full bucket, delays no other customer.
  if (nowMs + quotaWaitMs > retryAtMs)
    return spacedRetryMs(state, consumer, { bucket: storeBucket, cost, quotaWaitMs });
  if (cost > storeBucket.maximumPoints * MAX_BUCKET_RATIO_PER_CUSTOMER)
    return Math.max(storeWaitMs, quotaWaitMs);
  storeBucket.scheduledRetriesEndAtMs = retryAtMs + (cost / Math.max(1, storeBucket.pointsPerSecond)) * 1000;
  if (storeBucket.retryAtMsByCustomer.size >= MAX_SCHEDULED_RETRIES) storeBucket.retryAtMsByCustomer.clear();
  storeBucket.retryAtMsByCustomer.set(customerId, retryAtMs);
  return retryAtMs - nowMs;
}

type RejectedPointsRequest = {
  readonly bucket: StoreBucket;
  readonly cost: number;
  readonly quotaWaitMs: number;
};

/**
 * Returns when a request that exceeds the customer's own quota may be sent again, in milliseconds. Concurrent requests get
 * successive times: the first consumes the restored points.
 */
function spacedRetryMs(
  { customerUsages, now }: BucketsState,
  ref: CustomerConsumer,
  { bucket, cost, quotaWaitMs }: RejectedPointsRequest,
): number {
  const nowMs = now();
  const customerUsage = customerUsages.usageOf({ ref, pointsPerSecond: bucket.pointsPerSecond });
  const msPerRetry = msToRestoreCustomerPoints(bucket, Math.max(cost, ref.claimedPoints ?? 0));
  const maxMs = quotaWaitMs + (MAX_SPACED_RETRIES - 1) * msPerRetry;
  const nextMs =
    customerUsage.latestRetryAtMs > nowMs
      ? Math.max(quotaWaitMs, customerUsage.latestRetryAtMs + msPerRetry - nowMs)
      : quotaWaitMs;
  const retryMs = Math.min(nextMs, maxMs);
  customerUsage.latestRetryAtMs = Math.max(customerUsage.latestRetryAtMs, nowMs + retryMs);
  return retryMs;
}

/** Returns 0 for a customer whose scheduled retry has come. Others wait until all scheduled retries are over. */
function scheduledRetryWaitMs(
  { now }: BucketsState,
  { customerId }: PointsConsumer,
  bucket: StoreBucket,
): number {
  const { retryAtMsByCustomer, scheduledRetriesEndAtMs } = bucket;
  const customerRetryAtMs = customerId === undefined ? undefined : retryAtMsByCustomer.get(customerId);
  if (customerRetryAtMs !== undefined && now() >= customerRetryAtMs) return 0;
  return Math.max(0, Math.ceil(scheduledRetriesEndAtMs - now()));
}

function subtractPoints(state: BucketsState, consumer: PointsConsumer, cost: number): void {
  const bucket = state.buckets.get(consumer.shopId);
  if (bucket === undefined) return;
  bucket.availablePoints = Math.max(0, availablePointsOf(state, bucket) - cost);
  if (consumer.customerId !== undefined) bucket.retryAtMsByCustomer.delete(consumer.customerId);
  bucket.updatedAtMs = state.now();
  addCustomerUsage(state, consumer, cost);
}

type ReportedCost = { readonly reportedCost: PlatformCost; readonly reservedPoints: number };

/** Records the state of the bucket. The platform may not have counted requests that are still in progress. */
function recordReportedBucket(
  state: BucketsState,
  consumer: PointsConsumer,
  { reportedCost, reservedPoints }: ReportedCost,
): void {
  const { throttleStatus, actualQueryCost } = reportedCost;
  const { maximumAvailable, currentlyAvailable, restoreRate } = throttleStatus;
  if (maximumAvailable <= 0 || restoreRate <= 0) return;
  const bucket = findOrAddBucket(state, consumer);
  bucket.maximumPoints = maximumAvailable;
  bucket.availablePoints = currentlyAvailable - (state.pendingPointsByStore.get(consumer.shopId) ?? 0);
  bucket.pointsPerSecond = restoreRate;
  bucket.updatedAtMs = state.now();
  addCustomerUsage(state, consumer, (actualQueryCost ?? 0) - reservedPoints);
}

function returnReservedPoints(state: BucketsState, consumer: PointsConsumer, cost: number): void {
  const bucket = state.buckets.get(consumer.shopId);
  if (bucket === undefined) return;
  bucket.availablePoints = Math.min(bucket.maximumPoints, bucket.availablePoints + cost);
  addCustomerUsage(state, consumer, -cost);
}

function addPendingPoints(
  { pendingPointsByStore }: BucketsState,
  { shopId }: PointsConsumer,
  points: number,
): void {
  const sum = (pendingPointsByStore.get(shopId) ?? 0) + points;
  if (sum > 0) pendingPointsByStore.set(shopId, sum);
  else pendingPointsByStore.delete(shopId);
}

function availablePointsOf(
  { now }: BucketsState,
  { maximumPoints, availablePoints, pointsPerSecond, updatedAtMs }: StoreBucket,
): number {
  return Math.min(maximumPoints, availablePoints + ((now() - updatedAtMs) / 1000) * pointsPerSecond);
}

function addCustomerUsage(
  { customerUsages, buckets }: BucketsState,
  { shopId, customerId }: PointsConsumer,
  points: number,
): void {
  const bucket = buckets.get(shopId);
  if (customerId === undefined || bucket === undefined) return;
  customerUsages.add({ ref: { shopId, customerId }, pointsPerSecond: bucket.pointsPerSecond }, points);
}

/**
 * The points of its quota that one customer has used in this container, less those restored until `updatedAtMs`.
 * `latestRetryAtMs`: the latest time (epoch milliseconds) that a rejected request of the customer was told to retry at.
 */
type CustomerUsage = { spentPoints: number; updatedAtMs: number; latestRetryAtMs: number };
/** The customer, and the points that come back to the store each second. */
type QuotaShareOwner = { readonly ref: CustomerQuotaRef; readonly pointsPerSecond: number };

type UsageByCustomer = {
  readonly now: () => number;
  readonly usageByCustomer: LruCache<string, CustomerUsage>;
};

/** Creates the record of what customers have consumed in this container. */
function createUsageByCustomer(now: () => number) {
  const usageState = {
    now,
    usageByCustomer: createLruCache<string, CustomerUsage>(MAX_CACHED_CUSTOMER_USAGES),
  };
  return {
    spentPointsBy: (quotaOwner: QuotaShareOwner) =>
      spentPointsOf(usageState, usageState.usageByCustomer.get(usageKeyOf(quotaOwner)), quotaOwner),
    add(quotaOwner: QuotaShareOwner, points: number) {
      const customerUsage = updateUsageOf(usageState, quotaOwner);
      customerUsage.spentPoints = Math.max(0, customerUsage.spentPoints + points);
    },
    usageOf: (quotaOwner: QuotaShareOwner) => updateUsageOf(usageState, quotaOwner),
  };
}

/** Returns the milliseconds in which a customer's share of the bucket restores these points. */
function msToRestoreCustomerPoints(
  { pointsPerSecond }: Pick<QuotaShareOwner, 'pointsPerSecond'>,
  points: number,
): number {
  return Math.ceil((Math.max(0, points) / (pointsPerSecond * MAX_BUCKET_RATIO_PER_CUSTOMER)) * 1000);
}

function updateUsageOf(state: UsageByCustomer, quotaOwner: QuotaShareOwner): CustomerUsage {
  const key = usageKeyOf(quotaOwner);
  const customerUsage = state.usageByCustomer.get(key) ?? {
    spentPoints: 0,
    updatedAtMs: 0,
    latestRetryAtMs: 0,
  };
  customerUsage.spentPoints = spentPointsOf(state, customerUsage, quotaOwner);
  customerUsage.updatedAtMs = state.now();
  state.usageByCustomer.set(key, customerUsage);
  return customerUsage;
}

function spentPointsOf(
  { now }: UsageByCustomer,
  customerUsage: CustomerUsage | undefined,
  { pointsPerSecond }: QuotaShareOwner,
): number {
  if (customerUsage === undefined) return 0;
  const restoredPoints =
    ((now() - customerUsage.updatedAtMs) / 1000) * pointsPerSecond * MAX_BUCKET_RATIO_PER_CUSTOMER;
  return Math.max(0, customerUsage.spentPoints - restoredPoints);
}

function usageKeyOf({ ref: { shopId, customerId } }: QuotaShareOwner): string {
  return `${shopId}/${customerId}`;
}
