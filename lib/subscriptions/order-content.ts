/** The content and the total of an order: the contract's lines, discounts and delivery, or those of an edited cycle. */
import { formatMinorUnits, parseDecimal, toMinorUnits } from '../domain/money.ts';
import { hasPaymentsLeft } from './discount-facts.ts';

export type Money = { readonly amount: string; readonly currencyCode: string };
/** One page of a connection. */
export type Page<Node> = {
  readonly nodes: readonly Node[];
  readonly pageInfo: { readonly hasNextPage: boolean };
};

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

/** The maximum number of lines whose prices are summed. A total is not computed for an order with more lines. */
export const MAX_SUMMED_LINES = 20;
export const MAX_SUMMED_DISCOUNTS = 5;

/** Returns the selection that `OrderContent` describes. `lineFields`: further fields of each line. */
export function selectOrderContent(lineFields = ''): string {
  return `_svcNextDelivery: deliveryPrice { amount currencyCode }
  _svcNextLines: lines(first: ${MAX_SUMMED_LINES}) { nodes { lineDiscountedPrice { amount currencyCode } ${lineFields} } pageInfo { hasNextPage } }
  _svcNextDiscounts: discounts(first: ${MAX_SUMMED_DISCOUNTS}) {
    nodes { targetType rejectionReason recurringCycleLimit usageCount } pageInfo { hasNextPage } }`;
}

/**
 * For how many milliseconds after its date an order that was never charged may still be found and charged by merchants' jobs
 * (docs/merchant-servers.md).
 */
export const MAX_DUE_SEARCH_MS = 7 * 86_400_000;

/** The content of an edited cycle, which keeps its prices. */
export const EDITED_CONTENT_SELECTION = selectOrderContent();

/** The fields of a billing cycle that decide whether and when its order is charged. */
export type CycleChargeState = {
  readonly billingAttemptExpectedDate: string;
  readonly skipped: boolean;
  /** BILLED or UNBILLED. */
  readonly status: string;
};

/**
 * Returns the index of the next order's cycle in the list, or -1. An unpaid order whose date has passed does not
 * count, even if its cycle has not ended: it is being charged, was declined, or fell into a pause and is never
 * charged.
 * @param notBeforeMs now, or the end of the contract's pause if that is later; epoch milliseconds
 */
export function findNextOrderIndex(cycles: readonly CycleChargeState[], notBeforeMs: number): number {
  return cycles.findIndex(
    ({ skipped, status, billingAttemptExpectedDate: date }) =>
      !skipped && status !== 'BILLED' && Date.parse(date) >= notBeforeMs,
  );
}

/**
 * Returns the cycle of the next order. `notBeforeMs` is as in `findNextOrderIndex`.
 * @returns undefined when the list has no cycle with an upcoming order
 */
export function findNextOrder<Cycle extends CycleChargeState>(
  cycles: readonly Cycle[],
  notBeforeMs: number,
): Cycle | undefined {
  return cycles[findNextOrderIndex(cycles, notBeforeMs)];
}

/**
 * Returns the total of any upcoming order, also one that comes after other orders.
 * @returns null when the sum is unknown, or when a discount may end before that order
 */
export function sumUpcomingTotal(content: OrderContent): Money | null {
  const mayLoseDiscount = content._svcNextDiscounts.nodes.some(
    (discount) => discount.recurringCycleLimit !== null && hasPaymentsLeft(discount),
  );
  return mayLoseDiscount ? null : sumOrderTotal(content);
}

/**
 * Sums the prices of the lines, which include their discounts, and of the delivery. A valid discount on delivery
 * makes it free, because the platform's input has no amount for such a discount.
 * @returns null when the order has more lines or discounts than are read
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
