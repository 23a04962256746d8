/** Makes the order of one charged cycle, from the contract as it then was (or the cycle's edited one). */
import type { ContractContent, ContractRecord, OrderRecord } from './contract-records.ts';
import { deliveryAfterDiscounts, lineDiscount } from './discounts.ts';
import { nextId } from './opaque-id.ts';
import type { StoreState } from './state.ts';

/** Adds an order. `at` is an instant as the platform writes it. */
export function makeOrder(
  store: StoreState,
  contract: ContractRecord,
  { cycleIndex, at, paid }: { cycleIndex: number; at: string; paid: boolean },
): OrderRecord {
  const content = contract.cycleEdits[cycleIndex]?.contract?.content ?? contract.content;
  const method = content.deliveryMethod;
  const order: OrderRecord = {
    __typename: 'Order',
    id: nextId(store),
    number: store.nextOrderNumber,
    contractId: contract.id,
    cycleIndex,
    customerId: content.customerId,
    currencyCode: content.currencyCode,
    createdAt: at,
    updatedAt: at,
    note: content.note,
    tags: ['Subscription'],
    customAttributes: content.customAttributes,
    lines: orderLines(store, content),
    shippingMinor: deliveryAfterDiscounts(content),
    shippingTitle: method?.option.title ?? null,
    shippingAddress: method === null || method.kind === 'pickup' ? null : method.address,
    paid,
    fulfilled: false,
    discountCodes: content.discounts.flatMap((discount) => discount.redeemCode ?? []),
    transactionId: nextId(store),
  };
  store.nextOrderNumber += 1;
  store.orders.set(order.id, order);
  return order;
}

function orderLines(store: StoreState, content: ContractContent): OrderRecord['lines'] {
  return content.lines.map((line) => ({
    id: nextId(store),
    title: line.title,
    variantTitle: line.variantTitle,
    sku: line.sku,
    productId: line.productId,
    variantId: line.variantId,
    asset: line.asset,
    quantity: line.quantity,
    unitPriceMinor: line.currentPriceMinor,
    discountMinor: lineDiscount(content, line),
    requiresShipping: line.requiresShipping,
    taxable: line.taxable,
    sellingPlanId: line.sellingPlanId,
    sellingPlanName: line.sellingPlanName,
    customAttributes: line.customAttributes,
  }));
}
