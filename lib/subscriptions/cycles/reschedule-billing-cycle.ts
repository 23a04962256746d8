/** Moves one order to another day of its cycle. */

import { type Instant, instantText, nextSecond, parseInstant } from '../../domain/instant.ts';
import { message } from '../../messages/message.ts';
import { factOf } from '../../timeline/facts.ts';
import type { Operation, OperationDeps } from '../operation.ts';
import { type OperationError, type PlatformUserError, refuse } from '../operation-error.ts';
import { refuseDate } from '../refuse-date.ts';
import { type BillingCycle, dueMs, orderDetails } from './billing-cycle.ts';
import { changeCycle, cycleNotFound } from './change-cycle.ts';

/**
 * Returns the moved cycle and its contract, or userErrors: those of `changeCycle`, DATE_IN_PAST, DATE_TOO_FAR,
 * BILLING_DATE_SET_ON_SKIPPED, OUT_OF_BOUNDS, INCOMPLETE_BILLING_ATTEMPTS and INVALID. Sends two platform requests.
 */
export const rescheduleBillingCycle: Operation = (deps, request) => {
  const dateMs = parseInstant(request.args.billingDate);
  if (dateMs === undefined) throw new Error('the schema takes no such date');
  const billingDate = instantText(dateMs);
  return changeCycle(deps, request, {
    refuse: (cycle) => refuseMove(cycle, dateMs, deps.now()),
    input: { billingDate },
    isDone: (cycle) => !cycle.skipped && dueMs(cycle) === dateMs,
    intent: ({ cycleIndex, billingAttemptExpectedDate: before }) => ({
      action: 'billing_cycle_rescheduled',
      details: { billingCycleIndex: cycleIndex, expectedDate: before, billingDate },
      changes: [
        factOf(`billingCycles.${cycleIndex}.billingAttemptExpectedDate`, { before, after: billingDate }),
      ],
    }),
    toOwnError: (error, cycle) => toOwnError(error, { deps, cycle, dateMs }),
  });
};

function refuseMove(cycle: BillingCycle, dateMs: Instant, nowMs: number): OperationError | undefined {
  if (!cycle.skipped) return refuseDate('billingDate', dateMs, nowMs);
  return skippedBefore(cycle);
}

function skippedBefore(cycle: BillingCycle): OperationError {
  const fault = { field: ['billingCycleIndex'], message: message('orderSkippedBeforeMove') };
  return refuse('BILLING_DATE_SET_ON_SKIPPED', fault, orderDetails(cycle));
}

type Move = { readonly deps: OperationDeps; readonly cycle: BillingCycle; readonly dateMs: Instant };

/**
 * Converts a user error of the platform to the service's code. The platform uses some codes in another sense here, and
 * others occur only when the service sends a wrong request.
 */
function toOwnError({ code, ...fault }: PlatformUserError, move: Move): OperationError {
  const { cycle } = move;
  switch (code) {
    case 'OUT_OF_BOUNDS':
      return outOfBounds(fault.field, move);
    case 'BILLING_DATE_SET_ON_SKIPPED':
      return skippedBefore(cycle);
    case 'INCOMPLETE_BILLING_ATTEMPTS':
      return refuse(
        code,
        { field: ['billingCycleIndex'], message: message('orderBeingBilled') },
        orderDetails(cycle),
      );
    case 'CYCLE_INDEX_OUT_OF_RANGE':
    case 'CYCLE_NOT_FOUND':
    case 'INVALID_CYCLE_INDEX':
    case 'UPCOMING_CYCLE_LIMIT_EXCEEDED':
      return cycleNotFound(cycle.cycleIndex);
    default:
      return refuse('INVALID', fault);
  }
}

/**
 * Returns OUT_OF_BOUNDS with the days that the order can move to, in the store's time zone. The earliest day is today.
 */
function outOfBounds(field: PlatformUserError['field'], { deps, cycle, dateMs }: Move): OperationError {
  const { cycleIndex, cycleStartAt, cycleEndAt } = cycle;
  const { now } = deps;
  const input = { cycleIndex, date: instantText(dateMs) };
  const [startMs, endMs] = [Date.parse(cycleStartAt), Date.parse(cycleEndAt)];
  if (endMs <= now()) {
    const fault = { field, message: message('orderTimeOver') };
    return refuse('OUT_OF_BOUNDS', fault, { ...input, latest: cycleEndAt });
  }
  const within = message('orderMovableWithin', { first: Math.max(startMs, now()), last: endMs });
  const earliest = startMs > now() ? cycleStartAt : instantText(nextSecond(now()));
  return refuse('OUT_OF_BOUNDS', { field, message: within }, { ...input, earliest, latest: cycleEndAt });
}
