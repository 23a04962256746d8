import type { ContractFacts } from '../contract-facts.ts';
import { type OperationError, refuse } from '../operation-error.ts';
import { isFarAhead } from '../refuse-date.ts';
import type { ChargedCycle, CycleSelector } from './read-attempts.ts';

type ChargeCode =
  | 'BILLING_CYCLE_SKIPPED'
  | 'CONTRACT_NOT_FOUND'
  | 'CONTRACT_PAUSED'
  | 'CONTRACT_TERMINATED'
  | 'CYCLE_INDEX_OUT_OF_RANGE'
  | 'CYCLE_START_DATE_OUT_OF_RANGE'
  | 'INVALID';

/** Why an order cannot be charged, in the platform's codes; undefined: the platform may be asked. */
export function refuseCharge(
  contract: ContractFacts | undefined,
  cycle: ChargedCycle | undefined,
  { selector: { index }, nowMs }: { readonly selector: CycleSelector; readonly nowMs: number },
): OperationError | undefined {
  const ofContract = (message: string, code: ChargeCode) =>
    refuse(code, { field: ['subscriptionContractId'], message });
  const ofCycle = (message: string, code: ChargeCode) =>
    refuse(code, { field: ['billingCycleSelector'], message });
  if (contract === undefined) {
    return ofContract('There is no such subscription contract.', 'CONTRACT_NOT_FOUND');
  }
  if (['CANCELLED', 'EXPIRED'].includes(contract.status)) {
    return ofContract('The subscription contract has ended.', 'CONTRACT_TERMINATED');
  }
  if (contract.status === 'PAUSED') {
    return ofContract('The subscription contract is paused.', 'CONTRACT_PAUSED');
  }
  const outOfRange = index == null ? 'CYCLE_START_DATE_OUT_OF_RANGE' : 'CYCLE_INDEX_OUT_OF_RANGE';
  if (cycle === undefined) return ofCycle('The contract has no such billing cycle.', outOfRange);
  if (isFarAhead(Date.parse(cycle.billingAttemptExpectedDate), nowMs)) {
    return ofCycle('The order is more than a year ahead.', outOfRange);
  }
  if (cycle.status === 'BILLED') return ofCycle('The billing cycle has been billed.', 'INVALID');
  if (cycle.skipped) return ofCycle('The billing cycle is skipped.', 'BILLING_CYCLE_SKIPPED');
  // Beyond a page the failures cannot be counted, and with them no key be derived.
  return cycle.billingAttempts.pageInfo.hasNextPage
    ? ofCycle('Billing has failed 250 times: this order is not charged any more.', 'INVALID')
    : undefined;
}
