import { parseInstant } from '../../domain/instant.ts';
import { message } from '../../messages/message.ts';
import { type OperationError, refuse } from '../operation-error.ts';
import { type BillingCycle, dueMs, orderDetails } from './billing-cycle.ts';

type DatedCycle = Pick<BillingCycle, 'cycleIndex' | 'billingAttemptExpectedDate'>;

/**
 * Returns CYCLE_DATE_MISMATCH when the order is not due on the client's `expectedDate`, because it was moved, or the
 * client sent another order's index.
 * @returns undefined when the date matches or the client sent none
 */
export function refuseOtherDate(cycle: DatedCycle, expectedDate: unknown): OperationError | undefined {
  const expected = parseInstant(expectedDate);
  if (expected === undefined || expected === dueMs(cycle)) return undefined;
  const changed = message('orderDateChanged', { day: dueMs(cycle) });
  return refuse('CYCLE_DATE_MISMATCH', { field: ['expectedDate'], message: changed }, orderDetails(cycle));
}
