/**
 * Counts what customers consume in the table while a store's points are scarce, so that a customer has one quota
 * across all containers. Nothing is written while points are plentiful: the missing points of a full bucket then
 * prove that no customer has exceeded its quota.
 */
import type { CustomerQuotaRepository } from '../../storage/sessions/customer-quota-repository.ts';
import type { QuotaOwner } from './points-consumer.ts';
import { MAX_BUCKET_RATIO_PER_CUSTOMER } from './throttle-buckets.ts';

/**
 * `waitMs`: 0 when the claim succeeded, else the time until a retry. `quotaFreeAtMs`: when the customer's whole quota
 * is free again, epoch milliseconds.
 */
type QuotaClaimResult = { readonly waitMs: number; readonly quotaFreeAtMs: number };

/**
 * `recordedPoints`: points that the same request has already recorded in the table; they do not count against this
 * claim.
 */
type QuotaClaim = { readonly points: number; readonly recordedPoints: number };

export type CustomerQuota = {
  /**
   * Claims points of the customer's quota. `knownFreeAtMs` is the time at which, as far as known, the whole quota is
   * free.
   * @throws TEMPORARILY_UNAVAILABLE when the table does not respond
   */
  claim(quotaOwner: QuotaOwner, claim: QuotaClaim, knownFreeAtMs: number): Promise<QuotaClaimResult>;
  /**
   * Records points that were consumed without a claim. Never throws.
   * @returns when the whole quota is free, epoch milliseconds; 0 when the points could not be recorded
   */
  recordUnclaimed(quotaOwner: QuotaOwner, points: number): Promise<number>;
  /** Refunds claimed points that were not consumed. `quotaFreeAtMs` is that of the claim's result. Never throws. */
  refund(quotaOwner: QuotaOwner, points: number, quotaFreeAtMs: number): Promise<void>;
};

type Deps = { readonly quotaRepository: CustomerQuotaRepository; readonly now: () => number };

/** The time in which the platform refills an empty bucket: 20 seconds. */
const USUAL_BUCKET_REFILL_MS = 20_000;
/** The limit of a charge for points that were already spent: so high that no such charge is refused. */
const UNLIMITED_CHARGE_MS = 86_400_000;

/** Creates the quota. The table stores when each customer's quota is free again. */
export function createCustomerQuota({ quotaRepository, now }: Deps): CustomerQuota {
  return {
    async claim(quotaOwner, { points, recordedPoints }, knownFreeAtMs) {
      if (quotaOwner.maximumPoints === 0)
        return {
          waitMs: Math.max(0, knownFreeAtMs - now() - USUAL_BUCKET_REFILL_MS),
          quotaFreeAtMs: knownFreeAtMs,
        };
      const maxUsedQuotaMs = pointsToQuotaMs(
        quotaOwner,
        quotaOwner.maximumPoints * MAX_BUCKET_RATIO_PER_CUSTOMER,
      );
      // A customer within its quota is admitted at any cost; its next request waits instead. All containers
      // therefore compute the same time, even if they do not know the cost.
      const quotaMs = pointsToQuotaMs(quotaOwner, points);
      const chargeResult = await quotaRepository.charge(quotaOwner, {
        chargedMs: quotaMs,
        maxUsedMs: maxUsedQuotaMs + quotaMs + pointsToQuotaMs(quotaOwner, recordedPoints),
      });
      const waitMs = chargeResult.isDone
        ? 0
        : Math.max(1, chargeResult.quotaFreeAtMs - maxUsedQuotaMs - now());
      return { waitMs, quotaFreeAtMs: chargeResult.quotaFreeAtMs };
    },
    async recordUnclaimed(quotaOwner, points) {
      const charge = { chargedMs: pointsToQuotaMs(quotaOwner, points), maxUsedMs: UNLIMITED_CHARGE_MS };
      const chargeResult = await quotaRepository.charge(quotaOwner, charge).catch(() => undefined);
      return chargeResult?.quotaFreeAtMs ?? 0;
    },
    async refund(quotaOwner, points, quotaFreeAtMs) {
      // Refund at most what is still used, because time has restored the rest.
      const refundMs = Math.min(pointsToQuotaMs(quotaOwner, points), quotaFreeAtMs - now());
      if (refundMs > 0) await quotaRepository.refund(quotaOwner, refundMs).catch(() => undefined);
    },
  };
}

function pointsToQuotaMs({ pointsPerSecond }: QuotaOwner, points: number): number {
  return Math.ceil((points / (pointsPerSecond * MAX_BUCKET_RATIO_PER_CUSTOMER)) * 1000);
}
