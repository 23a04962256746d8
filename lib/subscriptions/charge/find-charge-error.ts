import { type Message, message } from '../../messages/message.ts';
import { isContractTerminated } from '../contract-facts.ts';
import { findUnexpectedDateError } from '../cycles/billing-cycle.ts';
import { isBeyondOneYear } from '../find-date-error.ts';
import type { OperationRequest } from '../operation.ts';
import { createUserError, type OperationError } from '../operation-error.ts';
import { isDerivedKeyOfOtherOrder } from './find-existing-attempt.ts';
import type { ContractToCharge, CycleSelector, CycleToCharge } from './read-attempts-of-order.ts';

/** The maximum number of attempts of an order that read-attempts-of-order.ts reads: one page. */
const MAX_ATTEMPTS_OF_ORDER = 250;

type ChargeErrorCode =
  | 'BILLING_CYCLE_SKIPPED'
  | 'CONTRACT_NOT_FOUND'
  | 'CONTRACT_PAUSED'
  | 'CONTRACT_TERMINATED'
  | 'CYCLE_INDEX_OUT_OF_RANGE'
  | 'CYCLE_START_DATE_OUT_OF_RANGE'
  | 'INVALID';

/**
 * Returns the user error for an idempotency key that another charge has used. `field` is the path of the client's
 * argument.
 */
export function keyUsedByOtherChargeError(field: readonly string[]): OperationError {
  return createUserError('IDEMPOTENCY_KEY_PARAMETER_MISMATCH', {
    field,
    message: message('idempotencyKeyUsed'),
  });
}

/**
 * Returns the user error for an order that cannot be charged, with the platform's code. The caller has checked that
 * no attempt of this order has the client's idempotency key. If an attempt of another order of the contract has it,
 * the key is rejected.
 * @returns undefined when the order can be charged
 */
export function findChargeError(
  contract: ContractToCharge | undefined,
  cycle: CycleToCharge | undefined,
  { args, nowMs }: { readonly args: OperationRequest['args']; readonly nowMs: number },
): OperationError | undefined {
  const { index } = args.billingCycleSelector as CycleSelector;
  const createContractError = (message: Message, code: ChargeErrorCode) =>
    createUserError(code, { field: ['subscriptionContractId'], message });
  const createCycleError = (message: Message, code: ChargeErrorCode) =>
    createUserError(code, { field: ['billingCycleSelector'], message });
  if (contract === undefined) {
    return createContractError(message('contractUnknown'), 'CONTRACT_NOT_FOUND');
  }
  if (isContractTerminated(contract)) {
    return createContractError(message('contractEnded'), 'CONTRACT_TERMINATED');
  }
  if (contract.status === 'PAUSED') {
    return createContractError(message('contractPaused'), 'CONTRACT_PAUSED');
  }
  const outOfRangeCode = index == null ? 'CYCLE_START_DATE_OUT_OF_RANGE' : 'CYCLE_INDEX_OUT_OF_RANGE';
  if (cycle === undefined) return createCycleError(message('billingCycleUnknown'), outOfRangeCode);
  if (isBeyondOneYear(Date.parse(cycle.billingAttemptExpectedDate), nowMs)) {
    return createCycleError(message('billingCycleTooFarAhead'), outOfRangeCode);
  }
  if (cycle.status === 'BILLED') return createCycleError(message('billingCycleBilled'), 'INVALID');
  if (cycle.skipped) return createCycleError(message('billingCycleSkipped'), 'BILLING_CYCLE_SKIPPED');
  const { idempotencyKey } = args;
  if (
    contract.billingAttempts.nodes.some((one) => one.idempotencyKey === idempotencyKey) ||
    isDerivedKeyOfOtherOrder(idempotencyKey, contract, cycle)
  )
    return keyUsedByOtherChargeError(['idempotencyKey']);
  const dateMismatchError = findUnexpectedDateError(cycle, args.expectedDate);
  if (dateMismatchError !== undefined) return dateMismatchError;
  // A derived idempotency key contains the number of failed attempts, which is unknown when there is more than one
  // page.
  return cycle.billingAttempts.pageInfo.hasNextPage
    ? createCycleError(message('billingFailedTooOften', { times: MAX_ATTEMPTS_OF_ORDER }), 'INVALID')
    : undefined;
}
