/** Decides what follows a user error of the mutation that creates an attempt: no attempt was made, so none is counted. */
import type { BillingCharge, ChargeChange } from '../records/charge-record.ts';
import { runStartAfterDays, type StoreHour } from './run-start-after-days.ts';

const PLATFORM_BUSY_CODES: ReadonlySet<string> = new Set(['THROTTLED', 'PROCESSING_FAILED']);
const BUSY_RETRY_AFTER_MS = 15 * 60_000;
/** While the contract is under review, the order is sent on its day and on each of the seven days after it. */
const MAX_REVIEW_REFUSALS = 8;

/**
 * Returns what a refusal changes in the charge (`withChargeChange`). If the platform is busy, the order is tried again in 15
 * minutes; if the contract is under review, each day for seven days. Any other code means that the order has changed since it
 * was read: it is read again now, and reported if the same code comes twice in a row.
 */
export function decideAfterRefusal(
  charge: Pick<BillingCharge, 'failedTryCount' | 'refusalCode' | 'underReviewCount'>,
  refusal: { readonly code: string; readonly atMs: number },
  store: StoreHour,
): ChargeChange {
  const { code, atMs } = refusal;
  const retryChangeAt = (nextTryAtMs: number): ChargeChange => ({
    state: charge.failedTryCount > 0 ? 'RETRYING' : 'DUE',
    ...{ refusalCode: code, nextTryAtMs, remindAtMs: nextTryAtMs },
  });
  if (PLATFORM_BUSY_CODES.has(code)) return retryChangeAt(atMs + BUSY_RETRY_AFTER_MS);
  if (code === 'CONTRACT_UNDER_REVIEW') {
    const underReviewCount = (charge.underReviewCount ?? 0) + 1;
    const changeWithReviewCount = { ...retryChangeAt(runStartAfterDays(store, atMs, 1)), underReviewCount };
    return underReviewCount < MAX_REVIEW_REFUSALS
      ? changeWithReviewCount
      : { ...changeWithReviewCount, ...toReportedFields('UNDER_REVIEW', atMs) };
  }
  const rereadChange = retryChangeAt(atMs);
  return charge.refusalCode === code
    ? { ...rereadChange, ...toReportedFields('REFUSED', atMs) }
    : rereadChange;
}

/** A REPORTED charge keeps a reminder until its timeline entry is recorded. */
function toReportedFields(reason: 'REFUSED' | 'UNDER_REVIEW', atMs: number) {
  return { state: 'REPORTED', reason, nextTryAtMs: undefined, remindAtMs: atMs } as const;
}
