/** Computes the amounts of a contract's next orders, as far as the nightly reading of contracts shows them. */
import {
  type Money,
  type OrderContent,
  sumOrderTotal,
  sumUpcomingTotal,
} from '../../subscriptions/order-content.ts';
import type { OrderAmounts } from './count-orders.ts';

/** Further fields of each line and of each discount. They cost no points. */
export const AMOUNT_FIELDS = {
  line: 'lineDiscountedPrice { amount currencyCode }',
  discount: 'targetType rejectionReason recurringCycleLimit usageCount',
};

type Page<Node> = { readonly nodes: readonly Node[]; readonly pageInfo: { readonly hasNextPage: boolean } };

/** The fields are null where access is denied. */
export type PricedContract = {
  readonly deliveryPrice: Money | null;
  readonly lines: Page<{ readonly lineDiscountedPrice?: Money | null }> | null;
  readonly discounts: OrderContent['_svcNextDiscounts'] | null;
};

/** Orders with more lines have no amount, as in the billing run, which reads no more. */
const MAX_LINES = 20;

/** An order without an amount that the store shows, or of more than 20 lines, has none. */
export function computeOrderAmounts({ deliveryPrice, lines, discounts }: PricedContract): OrderAmounts {
  if (deliveryPrice === null || lines === null || discounts === null || lines.nodes.length > MAX_LINES)
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
  const [next, later] = [sumOrderTotal(orderContent), sumUpcomingTotal(orderContent)];
  return { ...(next !== null && { next }), ...(later !== null && { later }) };
}
