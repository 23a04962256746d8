/** A billing cycle holds one order, which may be still to come, skipped, or moved to a date of its own. */
import type { OperationDeps } from '../operation.ts';

/** The selection that brings a cycle in the shape of `BillingCycle`. */
export const CYCLE_FIELDS =
  'cycleIndex cycleStartAt cycleEndAt billingAttemptExpectedDate skipped edited status';

export type BillingCycle = {
  readonly cycleIndex: number;
  /** ISO 8601, as all dates here; whole seconds. */
  readonly cycleStartAt: string;
  /** When its order is due, unless it was moved. */
  readonly cycleEndAt: string;
  /** When its order is due. */
  readonly billingAttemptExpectedDate: string;
  readonly skipped: boolean;
  /** Skipped, moved, or with a contract of its own. */
  readonly edited: boolean;
  /** BILLED or UNBILLED. */
  readonly status: string;
};

/** When the cycle's order is due, epoch milliseconds. */
export function dueMs({
  billingAttemptExpectedDate,
}: Pick<BillingCycle, 'billingAttemptExpectedDate'>): number {
  return Date.parse(billingAttemptExpectedDate);
}

/** Whether the cycle's order is still to come. */
export function isAhead(cycle: BillingCycle, nowMs: number): boolean {
  return cycle.status !== 'BILLED' && dueMs(cycle) > nowMs;
}

/** Whether a date lies in the cycle. The platform's cycles begin a second after the last one ends. */
export function holdsDate({ cycleStartAt, cycleEndAt }: BillingCycle, dateMs: number): boolean {
  return Date.parse(cycleStartAt) <= dateMs && dateMs <= Date.parse(cycleEndAt);
}

/** Whether the cycle's order has a date of its own. */
export function isMoved(cycle: BillingCycle): boolean {
  return cycle.edited && dueMs(cycle) !== Date.parse(cycle.cycleEndAt);
}

/** What a refusal tells of the cycle's order. */
export function orderDetails({
  cycleIndex,
  billingAttemptExpectedDate: date,
}: Pick<BillingCycle, 'cycleIndex' | 'billingAttemptExpectedDate'>): {
  readonly cycleIndex: number;
  readonly date: string;
} {
  return { cycleIndex, date };
}

/** The reason that the platform keeps with an edit of the schedule. */
export type EditReason = 'BUYER_INITIATED' | 'MERCHANT_INITIATED';

/** The reason of an edit by who acts. */
export function editReason({ actingCustomerId }: Pick<OperationDeps, 'actingCustomerId'>): EditReason {
  return actingCustomerId === undefined ? 'MERCHANT_INITIATED' : 'BUYER_INITIATED';
}
