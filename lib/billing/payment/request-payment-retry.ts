/** Tries an open payment again now at the request of a customer or a merchant, once an hour for each order. */
import { formatPlatformDate, nextWholeSecond } from '../../domain/instant.ts';
import { message } from '../../messages/message.ts';
import { findContractError, requireOwnership } from '../../subscriptions/contract-facts.ts';
import { parseContractRef } from '../../subscriptions/contract-ref.ts';
import { concurrentUpdateError } from '../../subscriptions/draft/draft-refusal.ts';
import type { Operation, OperationDeps } from '../../subscriptions/operation.ts';
import { createRefusedOutcome, createUserError } from '../../subscriptions/operation-error.ts';
import { readContractState } from '../../subscriptions/read-contract-state.ts';
import { selectedObjectsOf } from '../../subscriptions/send-change.ts';
import { type BillingCharge, withChargeChange } from '../records/charge-record.ts';
import type { BillingCharges } from '../records/charges.ts';
import { withRetryNow } from '../settle/retry-charge.ts';
import { canBeRetried, findOpenPayment, retryRequestAllowedFromMs } from './present-payment.ts';

export type PaymentRetryDeps = OperationDeps & {
  readonly billingCharges: Pick<BillingCharges, 'listOfContract' | 'replace'>;
};

const CONTRACT_ID_ARGUMENT = 'contractId';
/** A write fails if the outcome of an attempt has changed the charge since it was read. */
const MAX_CHARGE_WRITE_ATTEMPTS = 3;

/**
 * Returns the contract, or userErrors: PAYMENT_NOT_OPEN, RETRIED_TOO_SOON, CONTRACT_TERMINATED, CONCURRENT_UPDATE and
 * INVALID. The billing function makes the attempt within a minute. Sends one platform request.
 */
export const requestPaymentRetry: Operation<PaymentRetryDeps> = async (deps, { args, selection }) => {
  const contractId = String(args[CONTRACT_ID_ARGUMENT]);
  const contractRead = await readContractState(deps, {
    contractId,
    reads: { contractSelection: '' },
    selection,
  });
  const contract = contractRead.state?.contract;
  requireOwnership(deps, contract);
  const contractRef = parseContractRef(deps.store.shopId, contractId);
  const contractError = findContractError(contract, CONTRACT_ID_ARGUMENT);
  if (contractError !== undefined || contractRef === undefined)
    return createRefusedOutcome(contractError === undefined ? [] : [contractError]);
  for (let writeAttempts = 0; writeAttempts < MAX_CHARGE_WRITE_ATTEMPTS; writeAttempts++) {
    const charge = findOpenPayment(await deps.billingCharges.listOfContract(contractRef));
    const retryError = findRetryError(charge, deps.now());
    if (retryError !== undefined || charge === undefined)
      return createRefusedOutcome(retryError === undefined ? [] : [retryError]);
    const requestedCharge = withChargeChange(withRetryNow(charge, deps.now()), {
      retryRequestedAtMs: deps.now(),
    });
    if ((await deps.billingCharges.replace(charge, requestedCharge)) !== 'refused')
      return {
        selectedFields: selectedObjectsOf(selection, contractRead.data),
        userErrors: [],
        errors: contractRead.errors,
      };
  }
  return createRefusedOutcome([concurrentUpdateError([CONTRACT_ID_ARGUMENT])]);
};

function findRetryError(charge: BillingCharge | undefined, nowMs: number) {
  const fieldPath = [CONTRACT_ID_ARGUMENT];
  if (charge === undefined || !canBeRetried(charge, nowMs))
    return createUserError('PAYMENT_NOT_OPEN', { field: fieldPath, message: message('paymentNotOpen') });
  const allowedFromMs = retryRequestAllowedFromMs(charge);
  if (nowMs >= allowedFromMs) return undefined;
  const allowedFrom = formatPlatformDate(nextWholeSecond(allowedFromMs - 1));
  const fieldAndMessage = { field: fieldPath, message: message('paymentRetriedTooSoon') };
  return createUserError('RETRIED_TOO_SOON', fieldAndMessage, { earliest: allowedFrom });
}
