/** What follows a user error of the mutation that makes an attempt: no attempt was made, so no try is used. */
import type { BillingCharge, ChargeChange } from '../records/charge-record.ts';
import { hourAfter, type StoreHour } from './hour-after.ts';

const BUSY_CODES: ReadonlySet<string> = new Set(['THROTTLED', 'PROCESSING_FAILED']);
const BUSY_RETRY_AFTER_MS = 15 * 60_000;
/** The order is sent on its day and on each day of the week after it. */
const MAX_REVIEW_REFUSALS = 8;

/**
 * Returns what a refusal changes in the charge (`withChargeChange`). The platform is busy: again in 15 minutes. The contract
 * is under review: each day for seven days. Any other code says that the order is not as it was read, so it is read again
 * now, and the same code a second time is reported.
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
  if (BUSY_CODES.has(code)) return retryChangeAt(atMs + BUSY_RETRY_AFTER_MS);
  if (code === 'CONTRACT_UNDER_REVIEW') {
    const underReviewCount = (charge.underReviewCount ?? 0) + 1;
    const changeWithReviewCount = { ...retryChangeAt(hourAfter(store, atMs, 1)), underReviewCount };
    return underReviewCount < MAX_REVIEW_REFUSALS
      ? changeWithReviewCount
      : { ...changeWithReviewCount, ...toReportedFields('UNDER_REVIEW', atMs) };
  }
  const changeAfter = retryChangeAt(atMs);
  return charge.refusalCode === code ? { ...changeAfter, ...toReportedFields('REFUSED', atMs) } : changeAfter;
}

/** A closed charge has a reminder until its entry is recorded. */
function toReportedFields(reason: 'REFUSED' | 'UNDER_REVIEW', atMs: number) {
  return { state: 'REPORTED', reason, nextTryAtMs: undefined, remindAtMs: atMs } as const;
}
