/** Totals of an order, in minor units. Prices include tax; tax is not listed separately. */
import type { OrderRecord } from '../../../state/contract-records.ts';

/** Returns the sum of the lines after discounts. */
export function sumOrderSubtotal(order: OrderRecord): number {
  return order.lines.reduce((sum, line) => sum + line.priceMinor - line.discountMinor, 0);
}

/** Returns the sum of the lines after discounts, plus delivery. */
export function sumOrderTotal(order: OrderRecord): number {
  return sumOrderSubtotal(order) + order.shippingMinor;
}

/** Returns the sum of the lines' discounts. */
export function sumOrderDiscounts(order: OrderRecord): number {
  return order.lines.reduce((sum, line) => sum + line.discountMinor, 0);
}
