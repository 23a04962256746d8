/** Whether a run waits for a confirmation: an unexpected number of orders may be a mistake. */
import type { BillingHoldReason, BillingRun } from '../records/run-record.ts';

const MAX_RATIO = 1.5;
const MIN_DIFFERENCE = 100;
const MAX_MERCHANT_REFUSALS = 10;

type HoldFacts = Pick<BillingRun, 'earlierRefusalCount' | 'expectedCount' | 'foundCount'>;

/**
 * Returns why the run is put on hold: there is no preview of its day; it has found more than one and a half times the
 * orders of the preview, and at least a hundred more (`countUnexplainedOrders`); or the merchant's account has refused ten orders in a row since the
 * run before began.
 * @returns undefined when the run may charge
 */
export function decideHold(
  { expectedCount, foundCount, earlierRefusalCount = 0 }: HoldFacts,
  before: Pick<BillingRun, 'earlierRefusalCount'> | undefined,
): BillingHoldReason | undefined {
  if (expectedCount === undefined) return 'PREVIEW_MISSING';
  if (foundCount > MAX_RATIO * expectedCount && foundCount >= expectedCount + MIN_DIFFERENCE) {
    return 'MORE_THAN_EXPECTED';
  }
  // Refusals after the tenth hold no further run: the merchant has confirmed the run that is on hold.
  const wasAlreadyTooMany = (before?.earlierRefusalCount ?? 0) >= MAX_MERCHANT_REFUSALS;
  return earlierRefusalCount >= MAX_MERCHANT_REFUSALS && !wasAlreadyTooMany
    ? 'MERCHANT_ACCOUNT_REFUSES'
    : undefined;
}

/** Whether the merchant's account refuses the orders of the run while it charges. */
export function isRefusedByAccount({ merchantRefusalCount = 0 }: Pick<BillingRun, 'merchantRefusalCount'>) {
  return merchantRefusalCount >= MAX_MERCHANT_REFUSALS;
}
