/**
 * Counts what customers consume in the table while a store's points are scarce, so that a customer has one quota
 * across all containers. Nothing is written while points are plentiful: the missing points of a full bucket then
 * prove that no customer has exceeded its quota.
 */
import type { CustomerQuotaRepository } from '../../storage/sessions/customer-quota-repository.ts';
import type { QuotaOwner } from './points-consumer.ts';
import { MAX_BUCKET_RATIO_PER_CUSTOMER } from './throttle-buckets.ts';

/**
 * `waitMs`: 0 when the claim succeeded, else the time until a retry. `untilMs`: when the whole quota is free, epoch
 * milliseconds.
 */
type QuotaClaimResult = { readonly waitMs: number; readonly untilMs: number };

/** `noted`: points that the same request has already recorded in the table; they do not count against this claim. */
type QuotaClaim = { readonly points: number; readonly noted: number };

export type CustomerQuota = {
  /**
   * Claims points of the customer's quota; `untilMs`: the known time at which the whole quota is free.
   * @throws TEMPORARILY_UNAVAILABLE when the table does not respond
   */
  claim(quotaOwner: QuotaOwner, claim: QuotaClaim, untilMs: number): Promise<QuotaClaimResult>;
  /**
   * Records points that were consumed without a claim. Never throws.
   * @returns when the whole quota is free, epoch milliseconds
   */
  recordUnclaimed(quotaOwner: QuotaOwner, points: number): Promise<number>;
  /** Refunds claimed points that were not consumed; `untilMs`: the result of the claim. Never throws. */
  refund(quotaOwner: QuotaOwner, points: number, untilMs: number): Promise<void>;
};

type Deps = { readonly shares: CustomerQuotaRepository; readonly now: () => number };

/** The time in which the platform refills an empty bucket: 20 seconds. */
const USUAL_BUCKET_REFILL_MS = 20_000;
/** The limit of a charge for points that were already spent: so high that no such charge is refused. */
const UNLIMITED_CHARGE_MS = 86_400_000;

/** Creates the quota. The table stores when each customer's quota is free again. */
export function createCustomerQuota({ shares, now }: Deps): CustomerQuota {
  return {
    async claim(quotaOwner, { points, noted }, untilMs) {
      if (quotaOwner.maximum === 0)
        return { waitMs: Math.max(0, untilMs - now() - USUAL_BUCKET_REFILL_MS), untilMs };
      const maxUsedQuotaMs = pointsToQuotaMs(quotaOwner, quotaOwner.maximum * MAX_BUCKET_RATIO_PER_CUSTOMER);
      // A customer within its quota is admitted at any cost; its next request waits instead. All containers
      // therefore compute the same time, even if they do not know the cost.
      const quotaMs = pointsToQuotaMs(quotaOwner, points);
      const chargeResult = await shares.charge(quotaOwner, {
        ms: quotaMs,
        maxMs: maxUsedQuotaMs + quotaMs + pointsToQuotaMs(quotaOwner, noted),
      });
      const waitMs = chargeResult.isDone ? 0 : Math.max(1, chargeResult.untilMs - maxUsedQuotaMs - now());
      return { waitMs, untilMs: chargeResult.untilMs };
    },
    async recordUnclaimed(quotaOwner, points) {
      const charge = { ms: pointsToQuotaMs(quotaOwner, points), maxMs: UNLIMITED_CHARGE_MS };
      const chargeResult = await shares.charge(quotaOwner, charge).catch(() => undefined);
      return chargeResult?.untilMs ?? 0;
    },
    async refund(quotaOwner, points, untilMs) {
      // Refund at most what is still used, because time has restored the rest.
      const ms = Math.min(pointsToQuotaMs(quotaOwner, points), untilMs - now());
      if (ms > 0) await shares.refund(quotaOwner, ms).catch(() => undefined);
    },
  };
}

function pointsToQuotaMs({ ratePerSecond }: QuotaOwner, points: number): number {
  return Math.ceil((points / (ratePerSecond * MAX_BUCKET_RATIO_PER_CUSTOMER)) * 1000);
}
