/**
 * The record of one day's run (`RUN#{shop}`, sort key: the day), and its lines, the orders that it found
 * (`RUN#{shop}#{date}`, sort key: contract and cycle). They are kept for 13 months.
 */
import type { ShopId } from '../../domain/shop-id.ts';
import type { Money } from '../../subscriptions/order-content.ts';
import type { BillingChargeState, OrderRef } from './charge-record.ts';

type BillingRunStatus = 'FINDING' | 'CHARGING' | 'SETTLING' | 'DONE' | 'ON_HOLD';
export type BillingHoldReason = 'MORE_THAN_EXPECTED' | 'PREVIEW_MISSING' | 'MERCHANT_ACCOUNT_REFUSES';

/** All times are epoch milliseconds. */
export type BillingRun = {
  readonly shopId: ShopId;
  readonly version: number;
  /** The day in the store's zone: 2026-12-01. */
  readonly date: string;
  readonly status: BillingRunStatus;
  readonly holdReason?: BillingHoldReason;
  /** When a merchant or an operator let the run go on. */
  readonly confirmedAtMs?: number;
  /** How many orders the preview had; absent when there was none. */
  readonly expectedCount?: number;
  readonly foundCount: number;
  /** Where the run's present step continues; each step has its own format. */
  readonly cursor?: Readonly<Record<string, unknown>>;
  /** Counted from all charges of the run: every five minutes, at the end of the run, and each day after that. */
  readonly countByState?: Readonly<Partial<Record<BillingChargeState, number>>>;
  /** What was charged, by currency: decimal texts as the platform writes them. */
  readonly totals?: readonly Money[];
  /** The sum of the estimated amounts of the found orders, by currency. */
  readonly foundTotals?: readonly Money[];
  /** When `countByState` and `totals` were last counted. */
  readonly countedAtMs?: number;
  /** How many orders in a row the merchant's account had refused when the run began: the tenth holds the run. */
  readonly earlierRefusalCount?: number;
  /**
   * The longest series of this run's orders that the merchant's account refused one after another, since the run was
   * confirmed: ten hold the run while it charges.
   */
  readonly merchantRefusalCount?: number;
  /** When a run whose orders were all sent was reported as late, which happens once. */
  readonly lateReportedAtMs?: number;
  readonly startedAtMs: number;
  readonly doneAtMs?: number;
};

/** An order that the run found. */
export type BillingRunLine = OrderRef & {
  readonly date: string;
  readonly expectedAtMs: number;
  /** An estimate from the contract's prices; absent when not all prices were read. */
  readonly amount?: Money | undefined;
};
