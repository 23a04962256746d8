/** Has a declined payment tried again now, because the customer has acted or asks for it. The worker makes the attempt. */
import type { ContractRef } from '../../subscriptions/contract-ref.ts';
import type { RetryTrigger } from '../../timeline/append/find-retry-trigger.ts';
import { classifyDecline } from '../../timeline/decline-class.ts';
import { type BillingCharge, isTryLeft, withChargeChange } from '../records/charge-record.ts';
import type { BillingCharges } from '../records/charges.ts';
import { needsCustomer } from './decide-after-decline.ts';

export type RetryDeps = {
  readonly charges: Pick<BillingCharges, 'replace'> & {
    listOfContract(ref: ContractRef): Promise<readonly BillingCharge[]>;
  };
  readonly now: () => number;
};

/** A write fails when another process has changed the charge since it was read, which is rare. Then it is read again. */
const MAX_WRITES = 5;
/** A new address causes a try once in this time: an order has ten tries, and an address can be changed each minute. */
const ADDRESS_TRY_INTERVAL_MS = 3_600_000;

/**
 * Tries the contract's declined payments again: at once after a change of the payment method, and within the hour after a
 * change of the address. Idempotent while none has been tried.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function retryAfterCustomerChange(
  { charges, now }: RetryDeps,
  { shopId, contract, changed }: RetryTrigger,
): Promise<void> {
  const ref = { shopId, contractNumber: contract };
  for (let writeAttempts = 0; writeAttempts < MAX_WRITES; writeAttempts++) {
    const chargeToRetry = (await charges.listOfContract(ref)).find((charge) =>
      isRetriedAfterChange(charge, { changed, nowMs: now() }),
    );
    if (chargeToRetry === undefined) return;
    await charges.replace(chargeToRetry, withRetryAfter(changed, chargeToRetry, now()));
  }
}

/** Returns the declined charge, to be tried now. The try uses none of the retry schedule. */
export function withRetryNow(charge: BillingCharge, nowMs: number): BillingCharge {
  const retryChange = { nextTryAtMs: nowMs, endsAtMs: undefined, remindAtMs: nowMs, isExtraTry: true };
  return withChargeChange(charge, retryChange);
}

function withRetryAfter(changed: RetryTrigger['changed'], charge: BillingCharge, nowMs: number) {
  const atMs = tryTimeAfterCustomerChange(changed, charge, nowMs);
  const retriedCharge = withRetryNow(charge, atMs);
  return changed === 'address' ? withChargeChange(retriedCharge, { addressTriedAtMs: atMs }) : retriedCharge;
}

/** Returns when the change has the order tried, epoch milliseconds. */
function tryTimeAfterCustomerChange(
  changed: RetryTrigger['changed'],
  { addressTriedAtMs = 0 }: BillingCharge,
  nowMs: number,
): number {
  if (changed === 'payment method') return nowMs;
  return addressTriedAtMs > nowMs
    ? addressTriedAtMs
    : Math.max(nowMs, addressTriedAtMs + ADDRESS_TRY_INTERVAL_MS);
}

/** Whether the change may let the next attempt succeed. Charges that are tried by then are left as they are. */
function isRetriedAfterChange(
  charge: BillingCharge,
  { changed, nowMs }: Pick<RetryTrigger, 'changed'> & { readonly nowMs: number },
): boolean {
  const { state, lastErrorCode, nextTryAtMs = Number.POSITIVE_INFINITY, isExtraTry } = charge;
  const isEarlierTryPlanned =
    isExtraTry === true && nextTryAtMs <= tryTimeAfterCustomerChange(changed, charge, nowMs);
  if (state !== 'RETRYING' || isEarlierTryPlanned || !isTryLeft(charge, nowMs)) return false;
  const declineClass = classifyDecline(lastErrorCode);
  return needsCustomer(declineClass) || (changed === 'payment method' && declineClass === 'RETRY_LATER');
}
