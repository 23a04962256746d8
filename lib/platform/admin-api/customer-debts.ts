/**
 * While a store's points are scarce, what its customers spend is counted where all containers see it, so that nobody
 * gets a share in each container. While there are plenty nothing is written: what is missing of a full bucket shows that
 * no customer has spent more than a share.
 */
import type { CustomerShares } from '../../storage/sessions/customer-shares.ts';
import type { Debtor } from './spender.ts';
import { CUSTOMER_SHARE } from './throttle-buckets.ts';

/** `waitMs`: 0, or when it may be tried again. `untilMs`: when nothing is owed any more, epoch milliseconds. */
type Claimed = { readonly waitMs: number; readonly untilMs: number };

/** `noted`: what the same request has noted before, which does not stand in its own way. */
type Claim = { readonly points: number; readonly noted: number };

export type CustomerDebts = {
  /** Takes points of the customer's share, who owes until `untilMs` as far as is known. TEMPORARILY_UNAVAILABLE. */
  claim(debtor: Debtor, claim: Claim, untilMs: number): Promise<Claimed>;
  /** Notes points that were spent and not claimed: when nothing is owed any more. Never throws. */
  owe(debtor: Debtor, points: number): Promise<number>;
  /** Gives back points that were claimed and not spent, by who owed until `untilMs` with them. Never throws. */
  giveBack(debtor: Debtor, points: number, untilMs: number): Promise<void>;
};

type Deps = { readonly shares: CustomerShares; readonly now: () => number };

/** The time in which an empty bucket fills: the platform's buckets hold what comes in 20 seconds. */
const USUAL_FILL_MS = 20_000;
/** No charge for what was spent is too much. */
const DAY_MS = 86_400_000;

/** Debts over the shares in the table. */
export function createCustomerDebts({ shares, now }: Deps): CustomerDebts {
  return {
    async claim(debtor, { points, noted }, untilMs) {
      if (debtor.maximum === 0) return { waitMs: Math.max(0, untilMs - now() - USUAL_FILL_MS), untilMs };
      const mostMs = toMs(debtor, debtor.maximum * CUSTOMER_SHARE);
      // Who owes no more than its share is let in, whatever its request costs: the next one waits for that. So all
      // containers tell the same time, whether or not they know the cost.
      const ms = toMs(debtor, points);
      const charged = await shares.charge(debtor, { ms, mostMs: mostMs + ms + toMs(debtor, noted) });
      const waitMs = charged.isDone ? 0 : Math.max(1, charged.untilMs - mostMs - now());
      return { waitMs, untilMs: charged.untilMs };
    },
    async owe(debtor, points) {
      const charge = { ms: toMs(debtor, points), mostMs: DAY_MS };
      const charged = await shares.charge(debtor, charge).catch(() => undefined);
      return charged?.untilMs ?? 0;
    },
    async giveBack(debtor, points, untilMs) {
      // What has been made up for meanwhile is not given back a second time.
      const ms = Math.min(toMs(debtor, points), untilMs - now());
      if (ms > 0) await shares.giveBack(debtor, ms).catch(() => undefined);
    },
  };
}

function toMs({ ratePerSecond }: Debtor, points: number): number {
  return Math.ceil((points / (ratePerSecond * CUSTOMER_SHARE)) * 1000);
}
