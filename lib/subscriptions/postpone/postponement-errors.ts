/** The user errors of a postponement that is not possible. */
import { floorToSecond, formatInstant } from '../../domain/instant.ts';
import { localTimeToEpochMs, type TimeZone } from '../../domain/time-zone.ts';
import { message } from '../../messages/message.ts';
import { findUnexpectedDateError, orderDueAtMs, orderErrorDetails } from '../cycles/billing-cycle.ts';
import { isBeyondOneYear, toBoundsDetails } from '../find-date-error.ts';
import { createUserError, type OperationError } from '../operation-error.ts';
import { findNextOrderIndex } from '../order-content.ts';
import type { CycleToDate } from './plan-order-dates.ts';
import type { Postponement } from './plan-postponement.ts';
import type { ContractWithOrders, PostponableContract } from './read-contract-orders.ts';

const CONTRACT_ARGUMENT = ['contractId'];
const TO_ARGUMENT = ['to'];

/**
 * Returns the reason why no order of the contract can be postponed.
 * @returns undefined when the state of the contract allows a postponement
 */
export function findContractToPostponeError(
  { status, billingPolicy }: PostponableContract,
  following: CycleToDate | undefined,
): OperationError | undefined {
  if (status !== 'ACTIVE') {
    return createUserError(
      'CONTRACT_NOT_ACTIVE',
      { field: CONTRACT_ARGUMENT, message: message('contractNotActive') },
      { status },
    );
  }
  if (billingPolicy.anchors.length === 0) return undefined;
  const date = following?.billingAttemptExpectedDate;
  const fieldAndMessage = { field: CONTRACT_ARGUMENT, message: message('ordersOnFixedDays') };
  return createUserError('ORDERS_ON_FIXED_DAYS', fieldAndMessage, { date });
}

/** Returns the cycle of the next order and those after it; none if no order is due within a year. */
export function cyclesFromNextOrder(
  { cycles }: Pick<ContractWithOrders, 'cycles'>,
  nowMs: number,
): readonly CycleToDate[] {
  const nextPosition = findNextOrderIndex(cycles, nowMs);
  const next = cycles[nextPosition];
  return next === undefined || isBeyondOneYear(orderDueAtMs(next), nowMs) ? [] : cycles.slice(nextPosition);
}

/** Returns NO_UPCOMING_ORDER: the contract has no order that could be postponed. */
export function noUpcomingOrderError(): OperationError {
  return createUserError('NO_UPCOMING_ORDER', {
    field: CONTRACT_ARGUMENT,
    message: message('noUpcomingOrder'),
  });
}

/**
 * Returns the reason why this order cannot be postponed to any day. Checked before the dates are planned.
 * @returns undefined when the dates can be planned
 */
export function findOrderToPostponeError(
  next: CycleToDate,
  expectedDate: unknown,
  nowMs: number,
): OperationError | undefined {
  const dateMismatch = findUnexpectedDateError(next, expectedDate);
  if (dateMismatch !== undefined || orderDueAtMs(next) > nowMs) return dateMismatch;
  const fieldAndMessage = { field: ['expectedDate'], message: message('orderDatePassed') };
  return createUserError('DATE_IN_PAST', fieldAndMessage, orderErrorDetails(next));
}

type RefusedDay = {
  readonly next: CycleToDate;
  readonly to: string;
  readonly timeZone: TimeZone;
  readonly nowMs: number;
};

/** Returns the user error of a plan that gives no order a date. */
export function toPostponementError(
  plan: Exclude<Postponement, { readonly kind: 'dates assigned' | 'moved' }>,
  refused: RefusedDay,
): OperationError {
  if (plan.kind === 'out of bounds') return postponementOutOfBoundsError(plan, refused);
  // With `more cycles`, all cycles that may be read have edits of their own.
  const [code, cycle] =
    plan.kind === 'refused' ? [plan.code, plan.cycle] : (['HAS_FUTURE_EDITS', refused.next] as const);
  if (code === 'CYCLES_IRREGULAR') {
    const fieldAndMessage = { field: CONTRACT_ARGUMENT, message: message('ordersIrregular') };
    return createUserError(code, fieldAndMessage, { cycleIndex: cycle.cycleIndex });
  }
  const fault = { field: CONTRACT_ARGUMENT, message: message('futureEditsOn', { day: orderDueAtMs(cycle) }) };
  return createUserError(code, fault, orderErrorDetails(cycle));
}

function postponementOutOfBoundsError(
  { earliestMs, latestMs }: { readonly earliestMs: number; readonly latestMs: number },
  { to, timeZone, nowMs }: RefusedDay,
): OperationError {
  const dayMs = floorToSecond(localTimeToEpochMs(timeZone, { day: to, secondOfDay: 0 }));
  return createUserError(
    isBeyondOneYear(dayMs, nowMs) ? 'DATE_TOO_FAR' : 'OUT_OF_BOUNDS',
    {
      field: TO_ARGUMENT,
      message: possibleDaysMessage(earliestMs, latestMs),
    },
    { date: formatInstant(dayMs), ...toBoundsDetails({ firstMs: earliestMs, lastMs: latestMs }) },
  );
}

function possibleDaysMessage(earliestMs: number, latestMs: number) {
  if (earliestMs === latestMs) return message('orderPostponableToOneDay', { day: earliestMs });
  return earliestMs < latestMs
    ? message('orderPostponableTo', { first: earliestMs, last: latestMs })
    : message('orderNotPostponable');
}

/** Returns OUT_OF_BOUNDS for a date that the platform refuses. */
export function dateRefusedError(date: string): OperationError {
  return createUserError(
    'OUT_OF_BOUNDS',
    { field: TO_ARGUMENT, message: message('orderNotPostponable') },
    { date },
  );
}

/** Returns CYCLE_ALREADY_BILLED for the order. */
export function alreadyBilledError(cycle: CycleToDate): OperationError {
  const fieldAndMessage = { field: CONTRACT_ARGUMENT, message: message('orderPlaced') };
  return createUserError('CYCLE_ALREADY_BILLED', fieldAndMessage, orderErrorDetails(cycle));
}
