/** Sums of an order, in minor units. Prices include tax; none is shown apart. */
import type { OrderRecord } from '../../../state/contract-records.ts';

/** Lines after discounts. */
export function orderSubtotal(order: OrderRecord): number {
  return order.lines.reduce((sum, line) => sum + line.priceMinor - line.discountMinor, 0);
}

/** Lines after discounts, and delivery. */
export function orderTotal(order: OrderRecord): number {
  return orderSubtotal(order) + order.shippingMinor;
}

/** What discounts took off the lines. */
export function orderDiscounts(order: OrderRecord): number {
  return order.lines.reduce((sum, line) => sum + line.discountMinor, 0);
}
