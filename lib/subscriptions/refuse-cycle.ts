import type { BillingCycle } from './billing-cycle.ts';
import type { OperationError } from './operation-error.ts';

const field = ['billingCycleIndex'];

/** Why this order cannot be changed at all: CYCLE_NOT_FOUND, CYCLE_ALREADY_BILLED. Undefined: it can. */
export function refuseCycle(cycle: BillingCycle | undefined): OperationError | undefined {
  if (cycle === undefined) {
    return { field, message: 'The contract has no such billing cycle.', code: 'CYCLE_NOT_FOUND' };
  }
  if (cycle.status !== 'BILLED') return undefined;
  return { field, message: 'The billing cycle has been billed.', code: 'CYCLE_ALREADY_BILLED' };
}
