/**
 * Computes the next order of a contract: the first cycle that is neither billed nor skipped, and the amount that will
 * be charged if the contract does not change. The platform computes the cycles; these functions have no side effects.
 */
import { formatMinorUnits, minorUnits, parseDecimal } from '../../domain/money.ts';
import { hasPaymentsLeft } from '../discount-facts.ts';
import { type BillingCycle, CYCLE_FIELDS, dueMs } from './billing-cycle.ts';

type Money = { readonly amount: string; readonly currencyCode: string };
type Page<Node> = { readonly nodes: readonly Node[]; readonly pageInfo: { readonly hasNextPage: boolean } };

/** The lines, discounts and delivery price of an order: the contract's, or those of an edited cycle. */
export type OrderContent = {
  readonly _svcNextDelivery: Money;
  readonly _svcNextLines: Page<{ readonly lineDiscountedPrice: Money }>;
  readonly _svcNextDiscounts: Page<{
    readonly targetType: string;
    readonly rejectionReason: string | null;
    readonly recurringCycleLimit: number | null;
    readonly usageCount: number;
  }>;
};

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

/** How many lines are read to sum their prices. */
const MAX_LINES = 20;
const MAX_DISCOUNTS = 5;

/** The selection that `OrderContent` describes. */
export const ORDER_CONTENT = `_svcNextDelivery: deliveryPrice { amount currencyCode }
  _svcNextLines: lines(first: ${MAX_LINES}) { nodes { lineDiscountedPrice { amount currencyCode } } pageInfo { hasNextPage } }
  _svcNextDiscounts: discounts(first: ${MAX_DISCOUNTS}) {
    nodes { targetType rejectionReason recurringCycleLimit usageCount } pageInfo { hasNextPage } }`;

/** The selection that `NextCycle` describes. */
export const NEXT_CYCLE = `${CYCLE_FIELDS} editedContract { ${ORDER_CONTENT} }`;

/**
 * Returns the first cycle that will be charged. `notBeforeMs`: the end of the contract's pause.
 * @returns undefined when no cycle of the list will be charged
 */
export function firstToCharge(
  cycles: readonly NextCycle[],
  notBeforeMs = Number.NEGATIVE_INFINITY,
): NextCycle | undefined {
  return cycles.find((cycle) => !cycle.skipped && cycle.status !== 'BILLED' && dueMs(cycle) >= notBeforeMs);
}

/** Returns the order of a cycle. `content` is the contract's; the content of an edited cycle has priority over it. */
export function toNextOrder(cycle: NextCycle, content: OrderContent, nowMs: number): NextOrder {
  const { billingAttemptExpectedDate: date, cycleIndex, editedContract } = cycle;
  return {
    date,
    cycleIndex,
    total: totalOf(editedContract ?? content),
    isSkippable: dueMs(cycle) >= nowMs,
  };
}

/**
 * Sums the prices of the lines, which include their discounts, and of the delivery. A valid discount on delivery makes
 * it free, because the platform's input has no amount for such a discount.
 */
function totalOf(content: OrderContent): Money | null {
  const { _svcNextLines: lines, _svcNextDiscounts: discounts, _svcNextDelivery: delivery } = content;
  const isFree = discounts.nodes.some(
    (discount) =>
      discount.targetType === 'SHIPPING_LINE' &&
      discount.rejectionReason === null &&
      hasPaymentsLeft(discount),
  );
  if (lines.pageInfo.hasNextPage || (discounts.pageInfo.hasNextPage && !isFree)) return null;
  const { currencyCode } = delivery;
  const prices = [...lines.nodes.map((line) => line.lineDiscountedPrice), ...(isFree ? [] : [delivery])];
  const sum = prices.reduce(
    (total, { amount }) => total + minorUnits(parseDecimal(amount), currencyCode),
    0n,
  );
  return { amount: formatMinorUnits(sum, currencyCode), currencyCode };
}
