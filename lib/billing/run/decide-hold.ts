/** Whether a run waits for a confirmation: an unexpected number of orders may be a mistake. */
import type { BillingHoldReason, BillingRun } from '../records/run-record.ts';

const MAX_RATIO = 1.5;
const MIN_DIFFERENCE = 100;
const MAX_MERCHANT_REFUSALS = 10;

/**
 * Returns why the run is put on hold: there is no preview of its day; it has found more than one and a half times the
 * orders of the preview, and at least a hundred more; or the merchant's account refused ten orders of the run before.
 * @returns undefined when the run may charge
 */
export function decideHold(
  { expectedCount, foundCount }: Pick<BillingRun, 'expectedCount' | 'foundCount'>,
  before: Pick<BillingRun, 'merchantRefusalCount'> | undefined,
): BillingHoldReason | undefined {
  if (expectedCount === undefined) return 'PREVIEW_MISSING';
  if (foundCount > MAX_RATIO * expectedCount && foundCount >= expectedCount + MIN_DIFFERENCE) {
    return 'MORE_THAN_EXPECTED';
  }
  const refusals = before?.merchantRefusalCount ?? 0;
  return refusals >= MAX_MERCHANT_REFUSALS ? 'MERCHANT_ACCOUNT_REFUSES' : undefined;
}
