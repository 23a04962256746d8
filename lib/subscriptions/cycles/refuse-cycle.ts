import type { OperationError } from '../operation-error.ts';
import type { BillingCycle } from './billing-cycle.ts';

const field = ['billingCycleIndex'];

/** Why this order cannot be changed at all: CYCLE_NOT_FOUND, CYCLE_ALREADY_BILLED. Undefined: it can. */
export function refuseCycle(cycle: BillingCycle | undefined): OperationError | undefined {
  if (cycle === undefined) {
    return { field, message: 'The subscription has no such order.', code: 'CYCLE_NOT_FOUND' };
  }
  if (cycle.status !== 'BILLED') return undefined;
  return {
    field,
    message: 'This order has been placed already: it cannot be changed any more.',
    code: 'CYCLE_ALREADY_BILLED',
  };
}
