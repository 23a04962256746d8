/**
 * While a store's points are scarce, what its customers spend is counted where all containers see it, so that nobody
 * gets a share in each container. While there are plenty nothing is written: what is missing of a full bucket shows that
 * no customer has spent more than a share.
 */
import type { CustomerQuotaStore } from '../../storage/sessions/customer-quota-store.ts';
import type { QuotaOwner } from './consumer.ts';
import { CUSTOMER_QUOTA } from './throttle-buckets.ts';

/** `waitMs`: 0, or when it may be tried again. `untilMs`: when nothing is owed any more, epoch milliseconds. */
type Claimed = { readonly waitMs: number; readonly untilMs: number };

/** `noted`: what the same request has noted before, which does not stand in its own way. */
type Claim = { readonly points: number; readonly noted: number };

export type CustomerQuota = {
  /** Takes points of the customer's share, who owes until `untilMs` as far as is known. TEMPORARILY_UNAVAILABLE. */
  claim(quotaOwner: QuotaOwner, claim: Claim, untilMs: number): Promise<Claimed>;
  /** Notes points that were spent and not claimed: when nothing is owed any more. Never throws. */
  owe(quotaOwner: QuotaOwner, points: number): Promise<number>;
  /** Gives back points that were claimed and not spent, by who owed until `untilMs` with them. Never throws. */
  refund(quotaOwner: QuotaOwner, points: number, untilMs: number): Promise<void>;
};

type Deps = { readonly shares: CustomerQuotaStore; readonly now: () => number };

/** The time in which an empty bucket fills: the platform's buckets hold what comes in 20 seconds. */
const USUAL_FILL_MS = 20_000;
/** No charge for what was spent is too much. */
const DAY_MS = 86_400_000;

/** Debts over the shares in the table. */
export function createCustomerQuota({ shares, now }: Deps): CustomerQuota {
  return {
    async claim(quotaOwner, { points, noted }, untilMs) {
      if (quotaOwner.maximum === 0) return { waitMs: Math.max(0, untilMs - now() - USUAL_FILL_MS), untilMs };
      const maxMs = toMs(quotaOwner, quotaOwner.maximum * CUSTOMER_QUOTA);
      // Who owes no more than its share is let in, whatever its request costs: the next one waits for that. So all
      // containers tell the same time, whether or not they know the cost.
      const ms = toMs(quotaOwner, points);
      const charged = await shares.charge(quotaOwner, { ms, maxMs: maxMs + ms + toMs(quotaOwner, noted) });
      const waitMs = charged.isDone ? 0 : Math.max(1, charged.untilMs - maxMs - now());
      return { waitMs, untilMs: charged.untilMs };
    },
    async owe(quotaOwner, points) {
      const charge = { ms: toMs(quotaOwner, points), maxMs: DAY_MS };
      const charged = await shares.charge(quotaOwner, charge).catch(() => undefined);
      return charged?.untilMs ?? 0;
    },
    async refund(quotaOwner, points, untilMs) {
      // What has been made up for meanwhile is not given back a second time.
      const ms = Math.min(toMs(quotaOwner, points), untilMs - now());
      if (ms > 0) await shares.refund(quotaOwner, ms).catch(() => undefined);
    },
  };
}

function toMs({ ratePerSecond }: QuotaOwner, points: number): number {
  return Math.ceil((points / (ratePerSecond * CUSTOMER_QUOTA)) * 1000);
}
