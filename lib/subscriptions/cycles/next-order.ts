/**
 * The next order of a contract: the first cycle that is neither billed nor skipped, and the amount that will be
 * charged if the contract does not change. The platform computes the cycles; these functions have no side effects.
 */
import { EDITED_CONTENT_SELECTION, type Money, type OrderContent, sumOrderTotal } from '../order-content.ts';
import { type BillingCycle, CYCLE_SELECTION, orderDueAtMs } from './billing-cycle.ts';

export type NextCycle = BillingCycle & { readonly editedContract: OrderContent | null };

/** The value of the schema's type SubscriptionNextOrder. */
export type NextOrder = {
  /** ISO 8601. */
  readonly date: string;
  readonly cycleIndex: number;
  /** Null when the contract has more lines or discounts than are read, or its prices are not certain. */
  readonly total: Money | null;
  readonly isSkippable: boolean;
};

/** The selection that `NextCycle` describes. */
export const NEXT_CYCLE_SELECTION = `${CYCLE_SELECTION} editedContract { ${EDITED_CONTENT_SELECTION} }`;

/**
 * Converts a cycle to the value of the schema's type. `content` is the content of the contract with the prices of the
 * order, undefined when they are not certain; if the cycle has its own edited content, that is used instead.
 */
export function toNextOrder(cycle: NextCycle, content: OrderContent | undefined, nowMs: number): NextOrder {
  const { billingAttemptExpectedDate: expectedDate, cycleIndex, editedContract } = cycle;
  const orderContent = editedContract ?? content;
  return {
    date: expectedDate,
    cycleIndex,
    total: orderContent === undefined ? null : sumOrderTotal(orderContent),
    isSkippable: orderDueAtMs(cycle) >= nowMs,
  };
}
