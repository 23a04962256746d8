/**
 * Makes a request wait for the store's points. A customer's request waits for at most two seconds in total: while it
 * waits, it occupies an instance of the function, and all stores share a limited number of instances.
 */
import { ServiceError } from '../../errors/service-error.ts';
import type { StoreRecord } from '../../storage/stores.ts';
import { secondsUntilRetry, type ThrottledOutcome, throttledServiceError } from './admin-attempt-outcome.ts';
import type { CustomerQuota } from './customer-quota.ts';
import type { PointsConsumer, QuotaOwner } from './points-consumer.ts';
import {
  MAX_BUCKET_RATIO_PER_CUSTOMER,
  type PointsReservation,
  type ThrottleBuckets,
} from './throttle-buckets.ts';

/**
 * For how long one request of a customer may still wait for points, for all its platform requests together, and which
 * points it has claimed and spent.
 */
export type WaitBudget = {
  leftMs: number;
  /**
   * Whether the request has already changed something. It then waits until its deadline, because an incomplete change
   * is worse than a wait.
   */
  isChanging: boolean;
  /**
   * Whether a part of the request was admitted. The other parts then wait only for the store's points, not for the
   * customer's quota.
   */
  hasAdmittedPart: boolean;
  /** The points that the request's earlier parts have cost. */
  earlierPoints: number;
  /** The points that the whole request is likely to cost, or 0 if the cost of its first part decides. */
  readonly expectedPoints: number;
  /** When the customer's whole quota is free, as far as known, epoch milliseconds. */
  quotaFreeAtMs: number;
  /** Whether the points of the request were claimed. Its later parts then need no claim. */
  isClaimed: boolean;
  /** The points that were claimed and not spent yet. If negative, the points that were spent and not recorded yet. */
  unspentPoints: number;
  /** The points that were recorded in the table in addition to claims. */
  recordedPoints: number;
  /** Refunds the points that were claimed and not spent. Call it when the request has ended. Never throws. */
  refund?: () => Promise<void>;
};

type WaitLimits = { readonly deadlineAtMs: number; readonly waitBudget?: WaitBudget | undefined };
type PointsRequest = WaitLimits & {
  readonly store: StoreRecord;
  readonly customerId?: PointsConsumer['customerId'];
};

type WaitClock = { readonly now: () => number; readonly wait: (ms: number) => Promise<void> };
type StoreBuckets = { readonly buckets: ThrottleBuckets };
type Deps = WaitClock &
  StoreBuckets & {
    /**
     * Loads the quota that all containers share. Only requests of stores whose points are scarce need it. Without it,
     * each container counts for itself.
     */
    readonly loadCustomerQuota?: (() => Promise<CustomerQuota>) | undefined;
  };

const MAX_CUSTOMER_WAIT_MS = 2_000;
/** With less time than this until the deadline, no further attempt is made. */
const MIN_ATTEMPT_MS = 250;
/** If this ratio of the bucket is left, no customer can have exceeded its quota. */
const UNCONTESTED_BUCKET_RATIO = 1 - MAX_BUCKET_RATIO_PER_CUSTOMER;
/** If this ratio of the bucket is left, only few changes are in progress, so a change claims nothing. */
const UNCONTESTED_BUCKET_RATIO_FOR_CHANGES = 0.95;
/** The points that are claimed for a request of unknown cost. */
const MIN_CLAIMED_POINTS = 10;
/** Fewer points than this are not recorded, because each record is a write. */
const MIN_RECORDED_POINTS = 20;

type ExpectedPoints = Pick<WaitBudget, 'expectedPoints' | 'quotaFreeAtMs'>;

/** Creates the wait budget of a new request. */
export function createWaitBudget({
  expectedPoints = 0,
  quotaFreeAtMs = 0,
}: Partial<ExpectedPoints> = {}): WaitBudget {
  const progress = { isChanging: false, hasAdmittedPart: false, isClaimed: false };
  const pointCounts = { expectedPoints, earlierPoints: 0, unspentPoints: 0, recordedPoints: 0 };
  return { leftMs: MAX_CUSTOMER_WAIT_MS, ...progress, ...pointCounts, quotaFreeAtMs };
}

/**
 * Waits `waitMs` for points, and subtracts it from the request's wait budget.
 * @returns false, without a wait, when it would exceed the deadline or the budget
 */
export async function waitWithinBudget(
  { now, wait }: WaitClock,
  { deadlineAtMs, waitBudget }: WaitLimits,
  waitMs: number,
): Promise<boolean> {
  if (now() + waitMs + MIN_ATTEMPT_MS > deadlineAtMs) return false;
  if (waitBudget !== undefined && !waitBudget.isChanging) {
    if (waitMs > waitBudget.leftMs) return false;
    waitBudget.leftMs -= waitMs;
  }
  await wait(waitMs);
  return true;
}

/**
 * Admits a request: waits until it fits into the store's bucket, and takes its points there.
 * @throws THROTTLED, QUERY_TOO_COMPLEX
 */
export function admitRequest(
  deps: Deps,
  pointsRequest: PointsRequest,
  cost: number,
): PointsReservation | Promise<PointsReservation> {
  const admission = deps.buckets.admit(toPointsConsumer(pointsRequest), cost);
  const isAdmittedNow = admission !== 'never' && admission.waitMs === 0;
  return isAdmittedNow
    ? reserveAndClaimQuota(deps, pointsRequest, cost)
    : waitForPoints(deps, pointsRequest, cost);
}

async function waitForPoints(
  deps: Deps,
  pointsRequest: PointsRequest,
  cost: number,
): Promise<PointsReservation> {
  const { buckets } = deps;
  const consumer = toPointsConsumer(pointsRequest);
  for (let hasWaited = false; ; hasWaited = true) {
    const admission = buckets.admit({ ...consumer, hasWaited }, cost);
    if (admission === 'never') {
      throw new ServiceError('QUERY_TOO_COMPLEX', {
        message: `The query costs ${cost} points, more than the platform allows for one query. Request fewer objects.`,
      });
    }
    if (admission.waitMs === 0) return reserveAndClaimQuota(deps, pointsRequest, cost);
    // A customer that has exceeded its quota does not wait here: its request would occupy an instance for long.
    const mayWait = admission.quotaWaitMs === 0;
    if (!(mayWait && (await waitWithinBudget(deps, pointsRequest, admission.waitMs))))
      throw throttledServiceError(buckets.scheduleRetryMs(consumer, cost) / 1000);
  }
}

/**
 * Requires that a request needs neither a wait nor a claim, so that it delays no other request: while it is in progress,
 * points are not scarce, and the customer is within its quota.
 * @throws THROTTLED
 */
export function requirePointsWithoutWait(
  { buckets, now }: WaitClock & StoreBuckets,
  pointsRequest: PointsRequest,
  cost: number,
): void {
  const { shopId, customerId, quotaFreeAtMs = 0 } = toPointsConsumer(pointsRequest);
  const admission = buckets.admit({ ...toPointsConsumer(pointsRequest), hasAdmittedPart: false }, cost);
  const isAdmittedNow = admission !== 'never' && admission.waitMs === 0;
  if (!isAdmittedNow || quotaFreeAtMs > now()) throw throttledServiceError(1);
  if (customerId === undefined) return;
  const { maximumPoints, spentPoints } = buckets.quotaOwnerOf({ shopId, customerId });
  const isScarce =
    buckets.leftRatioOf(shopId) * maximumPoints - cost < UNCONTESTED_BUCKET_RATIO * maximumPoints;
  const exceedsQuota = spentPoints + cost > MAX_BUCKET_RATIO_PER_CUSTOMER * maximumPoints;
  if (isScarce || exceedsQuota) throw throttledServiceError(1);
}

function reserveAndClaimQuota(
  deps: Deps,
  pointsRequest: PointsRequest,
  cost: number,
): PointsReservation | Promise<PointsReservation> {
  const { store, customerId, waitBudget } = pointsRequest;
  // Read the quota before the reservation, because a claim adds the points of this request itself.
  const claimableQuota = findClaimableQuota(deps, pointsRequest);
  const reservation = deps.buckets.reserve({ shopId: store.shopId, customerId }, cost);
  if (waitBudget === undefined) return reservation;
  if (claimableQuota !== undefined) return claimQuota(waitBudget, claimableQuota, { reservation, cost });
  waitBudget.hasAdmittedPart = true;
  return reservation;
}

type ClaimableQuota = {
  readonly quotaOwner: ReturnType<ThrottleBuckets['quotaOwnerOf']>;
  readonly loadCustomerQuota: () => Promise<CustomerQuota>;
  readonly now: () => number;
};

/**
 * Returns the quota from which the points of the whole request have to be claimed: while points are scarce, or while the
 * quota is in use. A started change is never abandoned, so it claims points as soon as a few are missing.
 * @returns undefined when no claim is needed
 */
function findClaimableQuota(
  { buckets, loadCustomerQuota, now }: Deps,
  { store: { shopId }, customerId, waitBudget }: PointsRequest,
): ClaimableQuota | undefined {
  if (customerId === undefined || waitBudget === undefined || loadCustomerQuota === undefined)
    return undefined;
  if (waitBudget.isChanging || waitBudget.isClaimed) return undefined;
  const minLeftRatio =
    waitBudget.expectedPoints > 0 ? UNCONTESTED_BUCKET_RATIO_FOR_CHANGES : UNCONTESTED_BUCKET_RATIO;
  const isScarce = buckets.leftRatioOf(shopId) < minLeftRatio || waitBudget.quotaFreeAtMs > now();
  if (!isScarce) return undefined;
  return { quotaOwner: buckets.quotaOwnerOf({ shopId, customerId }), loadCustomerQuota, now };
}

/**
 * Claims the points of the whole request.
 * @throws THROTTLED, after the reservation was cancelled, when the quota is used up
 */
async function claimQuota(
  waitBudget: WaitBudget,
  { quotaOwner: { spentPoints, ...owner }, loadCustomerQuota, now }: ClaimableQuota,
  { reservation, cost }: { readonly reservation: PointsReservation; readonly cost: number },
): Promise<PointsReservation> {
  try {
    const claimedPoints = Math.max(MIN_CLAIMED_POINTS, cost, waitBudget.expectedPoints);
    const customerQuota = await loadCustomerQuota();
    // Points consumed here while they were plentiful count as well, once the table starts to count.
    const pointsSpentBefore = waitBudget.quotaFreeAtMs > now() ? 0 : spentPoints;
    const pointsClaim = {
      points: claimedPoints + pointsSpentBefore,
      recordedPoints: waitBudget.recordedPoints,
    };
    const { waitMs, quotaFreeAtMs: untilMs } = await customerQuota.claim(
      owner,
      pointsClaim,
      waitBudget.quotaFreeAtMs,
    );
    if (waitMs > 0) throw throttledServiceError(waitMs / 1000);
    waitBudget.quotaFreeAtMs = untilMs;
    waitBudget.isClaimed = owner.maximumPoints > 0;
    if (waitBudget.isClaimed) {
      waitBudget.unspentPoints += claimedPoints;
      waitBudget.refund = () => refundUnspentPoints(customerQuota, waitBudget, owner);
    }
    waitBudget.hasAdmittedPart = true;
    return reservation;
  } catch (error) {
    reservation.cancel();
    throw error;
  }
}

/** Refunds unspent points. Omits the refund of a few points, because each refund is a write. */
async function refundUnspentPoints(
  quota: CustomerQuota,
  waitBudget: WaitBudget,
  quotaOwner: QuotaOwner,
): Promise<void> {
  const { unspentPoints, quotaFreeAtMs } = waitBudget;
  waitBudget.unspentPoints = 0;
  if (unspentPoints >= MIN_RECORDED_POINTS) await quota.refund(quotaOwner, unspentPoints, quotaFreeAtMs);
}

/**
 * Records the points that a request has spent in addition to its claim, while points are scarce. Never throws.
 * @returns undefined when nothing has to be written
 */
export function recordSpentPoints(
  { buckets, loadCustomerQuota, now }: Deps,
  { store: { shopId }, customerId, waitBudget }: PointsRequest,
  points: number,
): Promise<void> | undefined {
  if (waitBudget === undefined) return undefined;
  waitBudget.earlierPoints += points;
  if (customerId === undefined || loadCustomerQuota === undefined) return undefined;
  const isScarce = buckets.leftRatioOf(shopId) < UNCONTESTED_BUCKET_RATIO || waitBudget.quotaFreeAtMs > now();
  if (isScarce || waitBudget.isClaimed) waitBudget.unspentPoints -= points;
  // A request without a reservation did not know that points are scarce. Record even one point of overrun, because
  // other containers cannot learn of it otherwise.
  const minRecordedPoints = waitBudget.isClaimed ? MIN_RECORDED_POINTS : 1;
  if (!isScarce || waitBudget.unspentPoints > -minRecordedPoints) return undefined;
  const quotaOwner = buckets.quotaOwnerOf({ shopId, customerId });
  return recordUnclaimedPoints(waitBudget, quotaOwner, loadCustomerQuota);
}

async function recordUnclaimedPoints(
  waitBudget: WaitBudget,
  quotaOwner: QuotaOwner,
  loadCustomerQuota: () => Promise<CustomerQuota>,
): Promise<void> {
  waitBudget.recordedPoints -= waitBudget.unspentPoints;
  const quota = await loadCustomerQuota();
  waitBudget.quotaFreeAtMs = await quota.recordUnclaimed(quotaOwner, -waitBudget.unspentPoints);
  waitBudget.unspentPoints = 0;
}

/**
 * Returns THROTTLED, with the time of the retry, for a request that the platform has throttled and that cannot wait.
 */
export function throttledRetryLaterError(
  { buckets }: StoreBuckets,
  pointsRequest: PointsRequest,
  throttledOutcome: ThrottledOutcome,
): ServiceError {
  const costPoints = throttledOutcome.cost?.requestedQueryCost ?? 0;
  const consumer = toPointsConsumer(pointsRequest);
  const admission = throttledOutcome.cost === undefined ? 'never' : buckets.admit(consumer, costPoints);
  if (admission === 'never')
    return throttledServiceError(secondsUntilRetry(throttledOutcome), throttledOutcome.cost);
  return throttledServiceError(buckets.scheduleRetryMs(consumer, costPoints) / 1000, throttledOutcome.cost);
}

/**
 * Returns the consumer of the request's points. A started change counts as the store's own request, so that it does not
 * wait for the customer's quota.
 */
function toPointsConsumer({ store, customerId, waitBudget }: PointsRequest): PointsConsumer {
  return {
    shopId: store.shopId,
    customerId: waitBudget?.isChanging ? undefined : customerId,
    hasAdmittedPart: waitBudget?.hasAdmittedPart,
    quotaFreeAtMs: waitBudget?.quotaFreeAtMs,
    claimedPoints: waitBudget?.expectedPoints,
    earlierPoints: waitBudget?.earlierPoints,
  };
}
