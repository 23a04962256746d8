/**
 * A billing cycle of a contract. Each cycle has one order, which may be upcoming, billed, skipped, or moved to another
 * date.
 */
import { parseInstant } from '../../domain/instant.ts';
import { message } from '../../messages/message.ts';
import { oneYearDateBounds } from '../find-date-error.ts';
import type { OperationDeps } from '../operation.ts';
import { createUserError, type OperationError } from '../operation-error.ts';
import type { DateBounds } from '../requested-date.ts';

/** The selection that `BillingCycle` describes. */
export const CYCLE_SELECTION =
  'cycleIndex cycleStartAt cycleEndAt billingAttemptExpectedDate skipped edited status';

export type BillingCycle = {
  readonly cycleIndex: number;
  /** ISO 8601 in whole seconds, like the other dates of this type. */
  readonly cycleStartAt: string;
  /** When the cycle ends. The order of the cycle is due at this time, unless it was moved. */
  readonly cycleEndAt: string;
  /** When the order is due. */
  readonly billingAttemptExpectedDate: string;
  readonly skipped: boolean;
  /** Whether the cycle was skipped or moved, or has its own contract. */
  readonly edited: boolean;
  /** BILLED or UNBILLED. */
  readonly status: string;
};

/** Returns when the cycle's order is due, in epoch milliseconds. */
export function orderDueAtMs({
  billingAttemptExpectedDate,
}: Pick<BillingCycle, 'billingAttemptExpectedDate'>): number {
  return Date.parse(billingAttemptExpectedDate);
}

/** Whether the cycle's order is upcoming. */
export function isOrderUpcoming(cycle: BillingCycle, nowMs: number): boolean {
  return cycle.status !== 'BILLED' && orderDueAtMs(cycle) > nowMs;
}

/** Whether the date is within the cycle. The platform's cycles start one second after the previous one ends. */
export function isDateInCycle({ cycleStartAt, cycleEndAt }: BillingCycle, dateMs: number): boolean {
  return Date.parse(cycleStartAt) <= dateMs && dateMs <= Date.parse(cycleEndAt);
}

/** Returns the bounds of the dates to which the cycle's order can be moved. */
export function cycleDateBounds({ cycleStartAt, cycleEndAt }: BillingCycle, nowMs: number): DateBounds {
  const { firstMs, lastMs } = oneYearDateBounds(nowMs);
  return {
    firstMs: Math.max(firstMs, Date.parse(cycleStartAt)),
    lastMs: Math.min(lastMs, Date.parse(cycleEndAt)),
  };
}

/** Whether the cycle's order was moved to another date. */
export function isOrderMoved(cycle: BillingCycle): boolean {
  return cycle.edited && orderDueAtMs(cycle) !== Date.parse(cycle.cycleEndAt);
}

/** Returns the details of a user error that identify the cycle's order. */
export function orderErrorDetails({
  cycleIndex,
  billingAttemptExpectedDate: expectedDate,
}: Pick<BillingCycle, 'cycleIndex' | 'billingAttemptExpectedDate'>): {
  readonly cycleIndex: number;
  readonly date: string;
} {
  return { cycleIndex, date: expectedDate };
}

/** The reason that the platform stores with a schedule edit. */
export type EditReason = 'BUYER_INITIATED' | 'MERCHANT_INITIATED';

/** Returns the reason of a schedule edit: BUYER_INITIATED when the request acts for a customer. */
export function scheduleEditReason({
  actingCustomerId,
}: Pick<OperationDeps, 'actingCustomerId'>): EditReason {
  return actingCustomerId === undefined ? 'MERCHANT_INITIATED' : 'BUYER_INITIATED';
}

type DatedCycle = Pick<BillingCycle, 'cycleIndex' | 'billingAttemptExpectedDate'>;

/**
 * Returns CYCLE_DATE_MISMATCH when the order is not due on the client's `expectedDate`: the order was moved in the
 * meantime, or the client sent the index of another order.
 * @returns undefined when the order is due on that date, or the client sent none
 */
export function findUnexpectedDateError(
  cycle: DatedCycle,
  expectedDate: unknown,
): OperationError | undefined {
  const expectedMs = parseInstant(expectedDate);
  if (expectedMs === undefined || expectedMs === orderDueAtMs(cycle)) return undefined;
  const changedMessage = message('orderDateChanged', { day: orderDueAtMs(cycle) });
  return createUserError(
    'CYCLE_DATE_MISMATCH',
    { field: ['expectedDate'], message: changedMessage },
    orderErrorDetails(cycle),
  );
}
