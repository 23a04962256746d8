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
  /** Where the step goes on: opaque to others than the run. */
  readonly cursor?: Readonly<Record<string, unknown>>;
  /** Counted again from the charges every five minutes, at the end, and each day after it; never summed up on the way. */
  readonly countByState?: Readonly<Partial<Record<BillingChargeState, number>>>;
  /** What was charged, by currency: decimal texts as the platform writes them. */
  readonly totals?: readonly Money[];
  /** The sum of the lines' amounts, by currency. */
  readonly foundTotals?: readonly Money[];
  readonly countedAtMs?: number;
  /** How many orders in a row the merchant's account had refused when the run began: the tenth holds the run. */
  readonly earlierRefusalCount?: number;
  /**
   * The most of its own orders in a row that the account has refused since the run was confirmed: ten hold it while it
   * charges.
   */
  readonly merchantRefusalCount?: number;
  /** When the alarm of a late run was raised, although all of its orders were sent. */
  readonly lateReportedAtMs?: number;
  readonly startedAtMs: number;
  readonly doneAtMs?: number;
};

/** An order that the search found. */
export type BillingRunLine = OrderRef & {
  readonly date: string;
  readonly expectedAtMs: number;
  /** An estimate by the contract's prices; absent when not all of them were read. */
  readonly amount?: Money | undefined;
};
