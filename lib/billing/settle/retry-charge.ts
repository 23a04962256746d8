/** Plans a new try of a declined payment, because the customer has acted or requests it. The worker makes the attempt. */
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

/** A write fails if another process has changed the charge since it was read, which is rare. Then the charge is read again. */
const MAX_CHARGE_WRITE_ATTEMPTS = 5;
/** New addresses cause one try in this time: an address can be changed each minute, but only ten attempts are allowed. */
const ADDRESS_TRY_INTERVAL_MS = 3_600_000;

/**
 * Tries the contract's declined payments again: at once after a change of the payment method, and within the hour after a
 * change of the address. Idempotent until the try is made.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function retryAfterCustomerChange(
  { charges, now }: RetryDeps,
  { shopId, contract, kind }: RetryTrigger,
): Promise<void> {
  const contractRef = { shopId, contractNumber: contract };
  for (let writeAttempts = 0; writeAttempts < MAX_CHARGE_WRITE_ATTEMPTS; writeAttempts++) {
    const chargeToRetry = (await charges.listOfContract(contractRef)).find((charge) =>
      isRetriedAfterChange(charge, { kind, nowMs: now() }),
    );
    if (chargeToRetry === undefined) return;
    await charges.replace(chargeToRetry, withRetryAfter(kind, chargeToRetry, now()));
  }
}

/** Returns the declined charge with a try planned for `nowMs`, which the retry schedule does not count. */
export function withRetryNow(charge: BillingCharge, nowMs: number): BillingCharge {
  const retryChange = { nextTryAtMs: nowMs, endsAtMs: undefined, remindAtMs: nowMs, isExtraTry: true };
  return withChargeChange(charge, retryChange);
}

function withRetryAfter(kind: RetryTrigger['kind'], charge: BillingCharge, nowMs: number) {
  const atMs = tryTimeAfterCustomerChange(kind, charge, nowMs);
  const retriedCharge = withRetryNow(charge, atMs);
  return kind === 'address' ? withChargeChange(retriedCharge, { addressTriedAtMs: atMs }) : retriedCharge;
}

/** Returns when the order is tried because of the customer's change, epoch milliseconds. */
function tryTimeAfterCustomerChange(
  kind: RetryTrigger['kind'],
  { addressTriedAtMs = 0 }: BillingCharge,
  nowMs: number,
): number {
  if (kind === 'payment method') return nowMs;
  return addressTriedAtMs > nowMs
    ? addressTriedAtMs
    : Math.max(nowMs, addressTriedAtMs + ADDRESS_TRY_INTERVAL_MS);
}

/** Whether a try is planned because of the customer's change: it may succeed now, and no earlier extra try is planned. */
function isRetriedAfterChange(
  charge: BillingCharge,
  { kind, nowMs }: Pick<RetryTrigger, 'kind'> & { readonly nowMs: number },
): boolean {
  const { state, lastErrorCode, nextTryAtMs = Number.POSITIVE_INFINITY, isExtraTry } = charge;
  const isEarlierTryPlanned =
    isExtraTry === true && nextTryAtMs <= tryTimeAfterCustomerChange(kind, charge, nowMs);
  if (state !== 'RETRYING' || isEarlierTryPlanned || !isTryLeft(charge, nowMs)) return false;
  const declineClass = classifyDecline(lastErrorCode);
  return needsCustomer(declineClass) || (kind === 'payment method' && declineClass === 'RETRY_LATER');
}
