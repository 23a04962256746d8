import { type Message, message } from '../../messages/message.ts';
import { refuseOtherDate } from '../cycles/refuse-other-date.ts';
import type { OperationRequest } from '../operation.ts';
import { type OperationError, refuse } from '../operation-error.ts';
import { isFarAhead } from '../refuse-date.ts';
import type { ChargedContract, ChargedCycle, CycleSelector } from './read-attempts.ts';

/** The number of attempts in one page (read-attempts.ts). */
const MAX_ATTEMPTS = 250;

type ChargeCode =
  | 'BILLING_CYCLE_SKIPPED'
  | 'CONTRACT_NOT_FOUND'
  | 'CONTRACT_PAUSED'
  | 'CONTRACT_TERMINATED'
  | 'CYCLE_INDEX_OUT_OF_RANGE'
  | 'CYCLE_START_DATE_OUT_OF_RANGE'
  | 'INVALID';

/**
 * Returns the user error for an idempotency key that another charge has used. `field`: the client's argument with the
 * key.
 */
export function keyOfOtherCharge(field: readonly string[]): OperationError {
  return refuse('IDEMPOTENCY_KEY_PARAMETER_MISMATCH', { field, message: message('idempotencyKeyUsed') });
}

/**
 * Returns why an order cannot be charged, in the platform's codes. No attempt of this order has the client's key, so
 * an attempt of the contract with that key belongs to another order.
 * @returns undefined when the platform may charge it
 */
export function refuseCharge(
  contract: ChargedContract | undefined,
  cycle: ChargedCycle | undefined,
  { args, nowMs }: { readonly args: OperationRequest['args']; readonly nowMs: number },
): OperationError | undefined {
  const { index } = args.billingCycleSelector as CycleSelector;
  const ofContract = (message: Message, code: ChargeCode) =>
    refuse(code, { field: ['subscriptionContractId'], message: message });
  const ofCycle = (message: Message, code: ChargeCode) =>
    refuse(code, { field: ['billingCycleSelector'], message: message });
  if (contract === undefined) {
    return ofContract(message('contractUnknown'), 'CONTRACT_NOT_FOUND');
  }
  if (['CANCELLED', 'EXPIRED'].includes(contract.status)) {
    return ofContract(message('contractEnded'), 'CONTRACT_TERMINATED');
  }
  if (contract.status === 'PAUSED') {
    return ofContract(message('contractPaused'), 'CONTRACT_PAUSED');
  }
  const outOfRange = index == null ? 'CYCLE_START_DATE_OUT_OF_RANGE' : 'CYCLE_INDEX_OUT_OF_RANGE';
  if (cycle === undefined) return ofCycle(message('billingCycleUnknown'), outOfRange);
  if (isFarAhead(Date.parse(cycle.billingAttemptExpectedDate), nowMs)) {
    return ofCycle(message('billingCycleTooFarAhead'), outOfRange);
  }
  if (cycle.status === 'BILLED') return ofCycle(message('billingCycleBilled'), 'INVALID');
  if (cycle.skipped) return ofCycle(message('billingCycleSkipped'), 'BILLING_CYCLE_SKIPPED');
  if (contract.billingAttempts.nodes.some((one) => one.idempotencyKey === args.idempotencyKey))
    return keyOfOtherCharge(['idempotencyKey']);
  const otherDate = refuseOtherDate(cycle, args.expectedDate);
  if (otherDate !== undefined) return otherDate;
  // With more than one page of attempts, the failures cannot be counted, and no key can be derived from their number.
  return cycle.billingAttempts.pageInfo.hasNextPage
    ? ofCycle(message('billingFailedTooOften', { times: MAX_ATTEMPTS }), 'INVALID')
    : undefined;
}
