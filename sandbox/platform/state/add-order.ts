/** Creates an order: of one charged cycle, from the current contract (or the cycle's edited one), or of a checkout. */
import type { ContractContent, ContractRecord, OrderRecord, PricedContent } from './contract-records.ts';
import { countDeliveriesPerPayment, listDeliveryDates } from './deliveries.ts';
import { computeDiscountedDeliveryPrice, sumLineDiscounts } from './discounts.ts';
import { formatIsoInstant } from './instant.ts';
import { takeNextId } from './opaque-id.ts';
import type { StoreState } from './state.ts';
import { GroupedMap } from './tables/grouped-map.ts';

/** The names of the groups in a store's table of orders. */
export const orderGroupOfContract = (contractId: number | null) => `contract ${contractId}`;
export const orderGroupOfCustomer = (customerId: number | null) => `customer ${customerId}`;

export function createOrderTable(
  entries: Iterable<readonly [number, OrderRecord]> = [],
): GroupedMap<number, OrderRecord> {
  const groupsOf = ({ contractId, customerId }: OrderRecord) => [
    orderGroupOfContract(contractId),
    orderGroupOfCustomer(customerId),
  ];
  return new GroupedMap(groupsOf, entries);
}

/**
 * `cycleIndex` is null for the checkout's order, which belongs to no cycle. `priced` is what was paid, by default the
 * present content.
 */
type OrderCharge = {
  cycleIndex: number | null;
  at: string;
  originTime?: string | null;
  paid: boolean;
  priced?: PricedContent | undefined;
};

/**
 * Adds an order. `at` is an instant in the platform's format; its deliveries are counted from `originTime`, by default
 * the same.
 */
export function addOrder(
  store: StoreState,
  contract: ContractRecord,
  { cycleIndex, at, originTime, paid, priced }: OrderCharge,
): OrderRecord {
  const orderContent = { ...findOrderContent(contract, cycleIndex), ...priced };
  const deliveryCount = countDeliveriesPerPayment(orderContent) ?? 1;
  const deliveryDates = listDeliveryDates(
    orderContent.deliveryPolicy,
    Date.parse(originTime ?? at),
    deliveryCount,
  );
  const deliveryMethod = orderContent.deliveryMethod;
  const order: OrderRecord = {
    __typename: 'Order',
    id: takeNextId(store),
    number: store.nextOrderNumber,
    contractId: contract.id,
    cycleIndex,
    customerId: orderContent.customerId,
    currencyCode: orderContent.currencyCode,
    createdAt: at,
    updatedAt: at,
    note: orderContent.note,
    tags: ['Subscription'],
    customAttributes: orderContent.customAttributes,
    lines: createOrderLines(store, orderContent, deliveryCount),
    shippingMinor: computeDiscountedDeliveryPrice(orderContent),
    shippingTitle: deliveryMethod?.option.title ?? null,
    shippingAddress:
      deliveryMethod === null || deliveryMethod.kind === 'pickup' ? null : deliveryMethod.address,
    paid,
    deliveriesDue: deliveryDates.map(formatIsoInstant),
    deliveriesSent: 0,
    discountCodes: orderContent.discounts.flatMap((discount) => discount.redeemCode ?? []),
    transactionId: takeNextId(store),
  };
  store.nextOrderNumber += 1;
  store.orders.set(order.id, order);
  return order;
}

/** Returns what an order contains: the edited content of its cycle, or that of the contract. */
export function findOrderContent({ content, cycleEdits }: ContractRecord, cycleIndex: number | null) {
  return cycleEdits[cycleIndex ?? 0]?.contract?.content ?? content;
}

function createOrderLines(
  store: StoreState,
  content: ContractContent,
  deliveryCount: number,
): OrderRecord['lines'] {
  return content.lines.map((line) => ({
    id: takeNextId(store),
    title: line.title,
    variantTitle: line.variantTitle,
    sku: line.sku,
    productId: line.productId,
    variantId: line.variantId,
    asset: line.asset,
    quantity: line.quantity * deliveryCount,
    priceMinor: line.currentPriceMinor * line.quantity,
    discountMinor: sumLineDiscounts(content, line),
    requiresShipping: line.requiresShipping,
    taxable: line.taxable,
    sellingPlanId: line.sellingPlanId,
    sellingPlanName: line.sellingPlanName,
    customAttributes: line.customAttributes,
  }));
}
