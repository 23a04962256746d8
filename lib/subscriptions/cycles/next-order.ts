/**
 * The next order of a contract: the first cycle that is neither billed nor skipped, and the amount that will be
 * charged if the contract does not change. The platform computes the cycles; these functions have no side effects.
 */
import { type Money, ORDER_CONTENT_SELECTION, type OrderContent, sumOrderTotal } from '../order-content.ts';
import { type BillingCycle, CYCLE_SELECTION, orderDueAtMs } from './billing-cycle.ts';

export type NextCycle = BillingCycle & { readonly editedContract: OrderContent | null };

/** The value of the schema's type SubscriptionNextOrder. */
export type NextOrder = {
  /** ISO 8601. */
  readonly date: string;
  readonly cycleIndex: number;
  /** Null when the contract has more lines or discounts than are read, so that the sum is unknown. */
  readonly total: Money | null;
  readonly isSkippable: boolean;
};

/** The selection that `NextCycle` describes. */
export const NEXT_CYCLE_SELECTION = `${CYCLE_SELECTION} editedContract { ${ORDER_CONTENT_SELECTION} }`;

/**
 * Converts a cycle to the value of the schema's type. `content` is the content of the contract; if the cycle has its
 * own edited content, that is used instead.
 */
export function toNextOrder(cycle: NextCycle, content: OrderContent, nowMs: number): NextOrder {
  const { billingAttemptExpectedDate: expectedDate, cycleIndex, editedContract } = cycle;
  return {
    date: expectedDate,
    cycleIndex,
    total: sumOrderTotal(editedContract ?? content),
    isSkippable: orderDueAtMs(cycle) >= nowMs,
  };
}
