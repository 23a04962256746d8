/**
 * Has a declined payment tried again, because the customer has acted or asks for it: once an hour for each order. The worker
 * makes the attempt.
 */
import type { ContractRef } from '../../subscriptions/contract-ref.ts';
import type { PaymentHelp } from '../../timeline/append/find-payment-help.ts';
import { classifyDecline } from '../../timeline/decline-class.ts';
import {
  type BillingCharge,
  isTryLeft,
  nextCustomerTryMs,
  withChargeChange,
} from '../records/charge-record.ts';
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

/**
 * Tries the contract's declined payments again after a change of its payment method or address. Idempotent while none
 * has been tried.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function retryAfterHelp(
  { charges, now }: RetryDeps,
  { shopId, contract, changed }: PaymentHelp,
): Promise<void> {
  const ref = { shopId, contractNumber: contract };
  for (let writes = 0; writes < MAX_WRITES; writes++) {
    const helpedCharge = (await charges.listOfContract(ref)).find((charge) =>
      isHelped(charge, { changed, nowMs: now() }),
    );
    if (helpedCharge === undefined) return;
    await charges.replace(helpedCharge, withAllowedRetry(helpedCharge, now()));
  }
}

/**
 * Returns the declined charge, to be tried now, or an hour after the last try that the customer has caused. The try uses none
 * of the retry schedule.
 */
export function withAllowedRetry(charge: BillingCharge, nowMs: number): BillingCharge {
  const atMs = customerTryMs(charge, nowMs);
  const times = { nextTryAtMs: atMs, remindAtMs: atMs, retryRequestedAtMs: atMs };
  return withChargeChange(charge, { ...times, endsAtMs: undefined, isExtraTry: true });
}

function customerTryMs(charge: BillingCharge, nowMs: number): number {
  return Math.max(nowMs, nextCustomerTryMs(charge));
}

/** Whether the change may let the next attempt succeed. Charges that are tried before are left as they are. */
function isHelped(
  charge: BillingCharge,
  { changed, nowMs }: Pick<PaymentHelp, 'changed'> & { readonly nowMs: number },
): boolean {
  const { state, lastErrorCode, nextTryAtMs = Number.POSITIVE_INFINITY, isExtraTry } = charge;
  const tryAtMs = customerTryMs(charge, nowMs);
  const isTriedBefore = nextTryAtMs <= tryAtMs && (isExtraTry === true || tryAtMs > nowMs);
  if (state !== 'RETRYING' || isTriedBefore || !isTryLeft(charge, nowMs)) return false;
  const declineClass = classifyDecline(lastErrorCode);
  return needsCustomer(declineClass) || (changed === 'payment method' && declineClass === 'RETRY_LATER');
}
