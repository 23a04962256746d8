import { type Message, message } from '../../messages/message.ts';
import { refuseOtherDate } from '../cycles/refuse-other-date.ts';
import type { OperationRequest } from '../operation.ts';
import { type OperationError, refuse } from '../operation-error.ts';
import { isFarAhead } from '../refuse-date.ts';
import type { ChargedContract, ChargedCycle, CycleSelector } from './read-attempts.ts';

/** A page of attempts (read-attempts.ts) has no more. */
const MOST_ATTEMPTS = 250;

type ChargeCode =
  | 'BILLING_CYCLE_SKIPPED'
  | 'CONTRACT_NOT_FOUND'
  | 'CONTRACT_PAUSED'
  | 'CONTRACT_TERMINATED'
  | 'CYCLE_INDEX_OUT_OF_RANGE'
  | 'CYCLE_START_DATE_OUT_OF_RANGE'
  | 'INVALID';

/** The user error of a charge under the key of another charge. `field`: the client's argument that has the key. */
export function keyOfOtherCharge(field: readonly string[]): OperationError {
  return refuse('IDEMPOTENCY_KEY_PARAMETER_MISMATCH', { field, message: message('idempotencyKeyUsed') });
}

/**
 * Why an order cannot be charged, in the platform's codes; undefined: the platform may be asked. No attempt of this order
 * has the client's key: an attempt of the contract with it is another order's.
 */
export function refuseCharge(
  contract: ChargedContract | undefined,
  cycle: ChargedCycle | undefined,
  { args, nowMs }: { readonly args: OperationRequest['args']; readonly nowMs: number },
): OperationError | undefined {
  const { index } = args.billingCycleSelector as CycleSelector;
  const ofContract = (words: Message, code: ChargeCode) =>
    refuse(code, { field: ['subscriptionContractId'], message: words });
  const ofCycle = (words: Message, code: ChargeCode) =>
    refuse(code, { field: ['billingCycleSelector'], message: words });
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
  // Beyond a page the failures cannot be counted, and with them no key be derived.
  return cycle.billingAttempts.pageInfo.hasNextPage
    ? ofCycle(message('billingFailedTooOften', { times: MOST_ATTEMPTS }), 'INVALID')
    : undefined;
}
