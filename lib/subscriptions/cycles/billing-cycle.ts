/** A billing cycle contains one order, which may be upcoming, skipped, or moved to another date. */
import type { OperationDeps } from '../operation.ts';

/** The selection of `BillingCycle`. */
export const CYCLE_FIELDS =
  'cycleIndex cycleStartAt cycleEndAt billingAttemptExpectedDate skipped edited status';

export type BillingCycle = {
  readonly cycleIndex: number;
  /** ISO 8601 in whole seconds, like all dates here. */
  readonly cycleStartAt: string;
  /** When the order is due, unless it was moved. */
  readonly cycleEndAt: string;
  /** When the order is due. */
  readonly billingAttemptExpectedDate: string;
  readonly skipped: boolean;
  /** Skipped, moved, or with its own contract. */
  readonly edited: boolean;
  /** BILLED or UNBILLED. */
  readonly status: string;
};

/** Returns when the cycle's order is due, in epoch milliseconds. */
export function dueMs({
  billingAttemptExpectedDate,
}: Pick<BillingCycle, 'billingAttemptExpectedDate'>): number {
  return Date.parse(billingAttemptExpectedDate);
}

/** Whether the cycle's order is upcoming. */
export function isAhead(cycle: BillingCycle, nowMs: number): boolean {
  return cycle.status !== 'BILLED' && dueMs(cycle) > nowMs;
}

/** Whether the cycle contains a date. The platform's cycles start one second after the previous one ends. */
export function holdsDate({ cycleStartAt, cycleEndAt }: BillingCycle, dateMs: number): boolean {
  return Date.parse(cycleStartAt) <= dateMs && dateMs <= Date.parse(cycleEndAt);
}

/** Whether the cycle's order was moved to another date. */
export function isMoved(cycle: BillingCycle): boolean {
  return cycle.edited && dueMs(cycle) !== Date.parse(cycle.cycleEndAt);
}

/** The error details that describe the cycle's order. */
export function orderDetails({
  cycleIndex,
  billingAttemptExpectedDate: date,
}: Pick<BillingCycle, 'cycleIndex' | 'billingAttemptExpectedDate'>): {
  readonly cycleIndex: number;
  readonly date: string;
} {
  return { cycleIndex, date };
}

/** The reason that the platform stores with an edit of the schedule. */
export type EditReason = 'BUYER_INITIATED' | 'MERCHANT_INITIATED';

/** Returns the reason of an edit, by the actor. */
export function editReason({ actingCustomerId }: Pick<OperationDeps, 'actingCustomerId'>): EditReason {
  return actingCustomerId === undefined ? 'MERCHANT_INITIATED' : 'BUYER_INITIATED';
}
