/** The content and the total of an order: the contract's lines, discounts and delivery, or those of an edited cycle. */
import { formatMinorUnits, parseDecimal, toMinorUnits } from '../domain/money.ts';
import { hasPaymentsLeft } from './discount-facts.ts';

export type Money = { readonly amount: string; readonly currencyCode: string };
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

/** How many lines are read to sum their prices. */
export const MAX_SUMMED_LINES = 20;
export const MAX_SUMMED_DISCOUNTS = 5;

/** The selection that `OrderContent` describes. */
export const ORDER_CONTENT_SELECTION = `_svcNextDelivery: deliveryPrice { amount currencyCode }
  _svcNextLines: lines(first: ${MAX_SUMMED_LINES}) { nodes { lineDiscountedPrice { amount currencyCode } } pageInfo { hasNextPage } }
  _svcNextDiscounts: discounts(first: ${MAX_SUMMED_DISCOUNTS}) {
    nodes { targetType rejectionReason recurringCycleLimit usageCount } pageInfo { hasNextPage } }`;

/** The part of a billing cycle that decides whether its order is charged. */
export type CycleChargeState = {
  readonly billingAttemptExpectedDate: string;
  readonly skipped: boolean;
  /** BILLED or UNBILLED. */
  readonly status: string;
};

/**
 * Returns the index of the next order's cycle, or -1. An order whose date has passed is not the next one while its cycle
 * runs, either: it is due or declined, or fell into a pause and does not come.
 * @param notBeforeMs now, or the end of the contract's pause if that is later; epoch milliseconds
 */
export function findNextOrderIndex(cycles: readonly CycleChargeState[], notBeforeMs: number): number {
  return cycles.findIndex(
    ({ skipped, status, billingAttemptExpectedDate: date }) =>
      !skipped && status !== 'BILLED' && Date.parse(date) >= notBeforeMs,
  );
}

/**
 * Returns the cycle of the next order. `notBeforeMs`: as in `findNextOrderIndex`.
 * @returns undefined when no cycle of the list has an order to come
 */
export function findNextOrder<Cycle extends CycleChargeState>(
  cycles: readonly Cycle[],
  notBeforeMs: number,
): Cycle | undefined {
  return cycles[findNextOrderIndex(cycles, notBeforeMs)];
}

/**
 * Returns the total of an order that need not be the next one.
 * @returns null when the sum is unknown, or a discount may end before the order
 */
export function sumUpcomingTotal(content: OrderContent): Money | null {
  const endsSomeday = content._svcNextDiscounts.nodes.some(
    (discount) => discount.recurringCycleLimit !== null && hasPaymentsLeft(discount),
  );
  return endsSomeday ? null : sumOrderTotal(content);
}

/**
 * Sums the prices of the lines, which include their discounts, and of the delivery. A valid discount on delivery makes
 * it free, because the platform's input has no amount for such a discount.
 */
export function sumOrderTotal(content: OrderContent): Money | null {
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
    (total, { amount }) => total + toMinorUnits(parseDecimal(amount), currencyCode),
    0n,
  );
  return { amount: formatMinorUnits(sum, currencyCode), currencyCode };
}
