/** Computes the amounts of a contract's next orders from the prices that were read with the contract. */
import {
  type Money,
  type OrderContent,
  sumOrderTotal,
  sumUpcomingTotal,
} from '../../subscriptions/order-content.ts';
import type { OrderAmounts } from './count-orders.ts';

/** The GraphQL fields of each line and of each discount that amounts are computed from. They cost no points. */
export const AMOUNT_FIELDS = {
  line: 'lineDiscountedPrice { amount currencyCode }',
  discount: 'targetType rejectionReason recurringCycleLimit usageCount',
};

type Page<Node> = { readonly nodes: readonly Node[]; readonly pageInfo: { readonly hasNextPage: boolean } };

/** The prices of a contract as the platform returned them; null where access is denied. */
export type PricedContract = {
  readonly deliveryPrice: Money | null;
  readonly lines: Page<{ readonly lineDiscountedPrice?: Money | null }> | null;
  readonly discounts: OrderContent['_svcNextDiscounts'] | null;
};

/** No amount is computed for an order with more lines. */
const MAX_PRICED_LINES = 20;

/** Returns the amounts of a contract's orders; none if a price was not read, or the contract has more than 20 lines. */
export function computeOrderAmounts({ deliveryPrice, lines, discounts }: PricedContract): OrderAmounts {
  if (deliveryPrice === null || lines === null || discounts === null || lines.nodes.length > MAX_PRICED_LINES)
    return {};
  const prices = lines.nodes.flatMap(({ lineDiscountedPrice }) => lineDiscountedPrice ?? []);
  if (prices.length < lines.nodes.length) return {};
  const orderContent: OrderContent = {
    _svcNextDelivery: deliveryPrice,
    _svcNextLines: {
      nodes: prices.map((lineDiscountedPrice) => ({ lineDiscountedPrice })),
      pageInfo: lines.pageInfo,
    },
    _svcNextDiscounts: discounts,
  };
  const [nextOrder, laterOrder] = [sumOrderTotal(orderContent), sumUpcomingTotal(orderContent)];
  return { ...(nextOrder !== null && { nextOrder }), ...(laterOrder !== null && { laterOrder }) };
}
