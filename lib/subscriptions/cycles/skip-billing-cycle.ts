/** Skips one order of a contract, or restores it. */

import { message } from '../../messages/message.ts';
import { factOf } from '../../timeline/facts.ts';
import type { Operation } from '../operation.ts';
import { type OperationError, refuse, refuseAsPlatform, refusedWith } from '../operation-error.ts';
import { type BillingCycle, dueMs, orderDetails } from './billing-cycle.ts';
import { changeCycle } from './change-cycle.ts';
import { refuseOtherDate } from './refuse-other-date.ts';

/**
 * Returns the changed cycle, or userErrors: INVALID when `skip` is null, those of `changeCycle`, DATE_IN_PAST,
 * CYCLE_DATE_MISMATCH, and the platform's codes for schedule edits. Sends two platform requests.
 */
export const skipBillingCycle: Operation = async (deps, request) => {
  const { skip: given, expectedDate, billingCycleIndex } = request.args;
  // The schema's default (true) applies only when the argument is omitted, so an explicit null is an error.
  if (given === null) {
    return refusedWith([refuse('INVALID', { field: ['skip'], message: message('orderSkipMissing') })]);
  }
  const skip = given !== false;
  return changeCycle(deps, request, (cycle) => ({
    refusal: refuseOtherDate(cycle, expectedDate) ?? refusePast(cycle, deps.now()),
    input: { skip },
    isDone: ({ skipped }) => skipped === skip,
    intent: {
      action: skip ? 'billing_cycle_skipped' : 'billing_cycle_unskipped',
      details: {
        billingCycleIndex: Number(billingCycleIndex),
        expectedDate: cycle.billingAttemptExpectedDate,
      },
      changes: [
        factOf(`billingCycles.${cycle.cycleIndex}.skipped`, { before: String(!skip), after: String(skip) }),
      ],
    },
    toOwnError: (error) => refuseAsPlatform(error, orderDetails(cycle)),
  }));
};

function refusePast(cycle: BillingCycle, nowMs: number): OperationError | undefined {
  if (dueMs(cycle) >= nowMs) return undefined;
  const fault = { field: ['billingCycleIndex'], message: message('orderDatePassed') };
  return refuse('DATE_IN_PAST', fault, orderDetails(cycle));
}
