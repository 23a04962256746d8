/** Decides whether a run waits for a confirmation by the merchant: an unexpected number of orders may be a mistake. */
import type { BillingHoldReason, BillingRun } from '../records/run-record.ts';

const MAX_FOUND_RATIO = 1.5;
const MIN_UNEXPECTED_ORDERS = 100;
const MERCHANT_REFUSALS_FOR_HOLD = 10;

type HoldFacts = Pick<BillingRun, 'earlierRefusalCount' | 'expectedCount' | 'foundCount'>;

/**
 * Returns why the run is put on hold: there is no preview of its day; it has found more than one and a half times the orders
 * of the preview, and at least a hundred more (`countUnexplainedOrders`); or the merchant's account has refused ten orders
 * in a row before it began.
 * @returns undefined when the run may charge
 */
export function decideHold(
  { expectedCount, foundCount, earlierRefusalCount = 0 }: HoldFacts,
  previousRun: Pick<BillingRun, 'earlierRefusalCount'> | undefined,
): BillingHoldReason | undefined {
  if (expectedCount === undefined) return 'PREVIEW_MISSING';
  if (foundCount > MAX_FOUND_RATIO * expectedCount && foundCount >= expectedCount + MIN_UNEXPECTED_ORDERS) {
    return 'MORE_THAN_EXPECTED';
  }
  // If ten refusals had held the previous run already, the merchant has confirmed it: no further run is held.
  const hadTooManyRefusals = (previousRun?.earlierRefusalCount ?? 0) >= MERCHANT_REFUSALS_FOR_HOLD;
  return earlierRefusalCount >= MERCHANT_REFUSALS_FOR_HOLD && !hadTooManyRefusals
    ? 'MERCHANT_ACCOUNT_REFUSES'
    : undefined;
}

/** Whether the merchant's account has refused so many orders of the charging run in a row that it is put on hold. */
export function isRefusedByAccount({ merchantRefusalCount = 0 }: Pick<BillingRun, 'merchantRefusalCount'>) {
  return merchantRefusalCount >= MERCHANT_REFUSALS_FOR_HOLD;
}
