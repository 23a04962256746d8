/** Orders, which charged cycles make: one, lists, counts, their lines, payment and delivery. */
import type { OrderLineRecord, OrderRecord } from '../../../state/contract-records.ts';
import { type AdminContext, fieldsOf, type ResolverMap } from '../../context.ts';
import { countOf } from '../../cost/counts.ts';
import { gid, numberOf } from '../../gid.ts';
import { type ConnectionArgs, connectionOf } from '../../lists/connections.ts';
import { type SearchFields, searchTest } from '../../lists/search.ts';
import { sortedBy } from '../../lists/sorting.ts';
import { moneyBag } from '../../money.ts';
import { visibleOrder, visibleOrders } from '../../visible-orders.ts';
import { imageOf } from '../catalogue/images.ts';
import { orderDiscounts, orderSubtotal, orderTotal } from './order-totals.ts';

const searchFields: SearchFields<OrderRecord> = {
  created_at: { kind: 'instant', of: (order) => order.createdAt },
  processed_at: { kind: 'instant', of: (order) => order.createdAt },
  updated_at: { kind: 'instant', of: (order) => order.updatedAt },
  customer_id: { kind: 'number', of: (order) => order.customerId },
  id: { kind: 'number', of: (order) => order.id },
  name: { kind: 'text', of: (order) => [`#${order.number}`, String(order.number)] },
  tag: { kind: 'text', of: (order) => order.tags },
  financial_status: { kind: 'text', of: (order) => (order.paid ? 'paid' : 'pending') },
  fulfillment_status: { kind: 'text', of: (order) => fulfillmentStatus(order).search },
};

const sortKeys: Record<string, (order: OrderRecord) => string | number> = {
  CREATED_AT: (order) => order.createdAt,
  PROCESSED_AT: (order) => order.createdAt,
  UPDATED_AT: (order) => order.updatedAt,
  ORDER_NUMBER: (order) => order.number,
  TOTAL_PRICE: orderTotal,
  CURRENT_TOTAL_PRICE: orderTotal,
};

export type OrderListArgs = ConnectionArgs & { query?: string | null; sortKey?: string | null };

/** Orders that fit the query, sorted. */
export function findOrders(context: AdminContext, args: OrderListArgs): OrderRecord[] {
  const test = searchTest(args.query, searchFields, (order) => `#${order.number}`);
  return sortedBy(visibleOrders(context), sortKeys[args.sortKey ?? 'ID'] ?? ((order) => order.id)).filter(
    test,
  );
}

const moneyBagResolver = (sum: (order: OrderRecord) => number) => (order: OrderRecord) =>
  moneyBag(sum(order), order.currencyCode);
const zeroMoneyBag = moneyBagResolver(() => 0);

type LineItemView = { line: OrderLineRecord; order: OrderRecord };

/** The payment of an order, or null while it is unpaid. */
export function transactionOf(order: OrderRecord) {
  if (!order.paid) return null;
  return {
    __typename: 'OrderTransaction',
    id: gid('OrderTransaction', order.transactionId),
    amountSet: moneyBag(orderTotal(order), order.currencyCode),
    createdAt: order.createdAt,
    errorCode: null,
    formattedGateway: 'Shopify Payments',
    gateway: 'shopify_payments',
    kind: 'SALE',
    order,
    paymentId: `#${order.number}.1`,
    processedAt: order.createdAt,
    status: 'SUCCESS',
    test: true,
  };
}

/** Words of the display status and of the search, by how many of the deliveries were sent. */
function fulfillmentStatus({ deliveriesDue, deliveriesSent }: OrderRecord) {
  if (deliveriesSent === 0) return { display: 'UNFULFILLED', search: 'unshipped' };
  return deliveriesSent < deliveriesDue.length
    ? { display: 'PARTIALLY_FULFILLED', search: 'partial' }
    : { display: 'FULFILLED', search: 'shipped' };
}

function isSent({ deliveriesDue, deliveriesSent }: OrderRecord): boolean {
  return deliveriesSent >= deliveriesDue.length;
}

/** One parcel for each delivery that was sent. */
function fulfillmentsOf(order: OrderRecord) {
  const { updatedAt, number, deliveriesDue, deliveriesSent } = order;
  const pieces = order.lines.reduce((sum, { quantity }) => sum + quantity, 0);
  return deliveriesDue.slice(0, deliveriesSent).map((dueAt, index) => {
    const id = index === 0 ? order.id : Number(`${order.id}${index}`);
    return {
      __typename: 'Fulfillment',
      id: gid('Fulfillment', id),
      legacyResourceId: id,
      createdAt: dueAt,
      deliveredAt: null,
      displayStatus: 'FULFILLED',
      estimatedDeliveryAt: null,
      inTransitAt: null,
      name: `#${number}-F${index + 1}`,
      order,
      requiresShipping: true,
      status: 'SUCCESS',
      totalQuantity: pieces / deliveriesDue.length,
      trackingInfo: [],
      updatedAt,
    };
  });
}

function shippingLine(order: OrderRecord) {
  if (order.shippingTitle === null) return null;
  const price = moneyBag(order.shippingMinor, order.currencyCode);
  return {
    code: order.shippingTitle.toLowerCase(),
    currentDiscountedPriceSet: price,
    custom: false,
    discountedPriceSet: price,
    id: gid('ShippingLine', order.id),
    originalPriceSet: price,
    phone: null,
    source: 'shopify',
    title: order.shippingTitle,
  };
}

export const orderResolvers: ResolverMap = {
  QueryRoot: {
    order: (_parent: unknown, args: { id: string }, context) =>
      visibleOrder(context, numberOf(args.id, 'Order')),
    orders: (_parent: unknown, args: OrderListArgs, context) =>
      connectionOf(findOrders(context, args), args, (order) => order.id),
    ordersCount: (_parent: unknown, args: OrderListArgs & { limit?: number | null }, context) =>
      countOf(findOrders(context, args).length, args.limit),
  },
  Order: fieldsOf<OrderRecord>({
    id: ({ id }) => gid('Order', id),
    legacyResourceId: ({ id }) => id,
    app: () => null,
    billingAddress: ({ shippingAddress }) => shippingAddress,
    billingAddressMatchesShippingAddress: () => true,
    cancelReason: () => null,
    cancelledAt: () => null,
    closed: isSent,
    closedAt: (order) => (isSent(order) ? order.updatedAt : null),
    confirmationNumber: ({ id }) => `C${id}`,
    confirmed: () => true,
    currentShippingPriceSet: moneyBagResolver((order) => order.shippingMinor),
    currentSubtotalPriceSet: moneyBagResolver(orderSubtotal),
    currentTaxLines: () => [],
    currentTotalDiscountsSet: moneyBagResolver(orderDiscounts),
    currentTotalPriceSet: moneyBagResolver(orderTotal),
    currentTotalTaxSet: zeroMoneyBag,
    customer: ({ customerId }, _args, { store }) => store.customers.get(customerId ?? 0) ?? null,
    customerLocale: () => 'en',
    displayAddress: ({ shippingAddress }) => shippingAddress,
    displayFinancialStatus: ({ paid }) => (paid ? 'PAID' : 'PENDING'),
    displayFulfillmentStatus: (order) => fulfillmentStatus(order).display,
    email: ({ customerId }, _args, { store }) => store.customers.get(customerId ?? 0)?.email ?? null,
    fulfillments: (order, args: { first?: number | null }) =>
      fulfillmentsOf(order).slice(0, args.first ?? undefined),
    fulfillmentsCount: (order) => countOf(fulfillmentsOf(order).length),
    fullyPaid: ({ paid }) => paid,
    lineItems: (order, args: ConnectionArgs) =>
      connectionOf(
        order.lines.map((line) => ({ __typename: 'LineItem', line, order })),
        args,
        ({ line }) => line.id,
      ),
    name: ({ number }) => `#${number}`,
    phone: () => null,
    presentmentCurrencyCode: ({ currencyCode }) => currencyCode,
    processedAt: ({ createdAt }) => createdAt,
    requiresShipping: ({ lines }) => lines.some((line) => line.requiresShipping),
    shippingLine,
    sourceIdentifier: () => null,
    sourceName: ({ cycleIndex }) => (cycleIndex === null ? 'web' : 'subscription_contract'),
    statusPageUrl: ({ id }, _args, { store }) => `${store.storefrontUrl}/account/orders/${id}`,
    subtotalLineItemsQuantity: ({ lines }) => lines.reduce((sum, line) => sum + line.quantity, 0),
    subtotalPriceSet: moneyBagResolver(orderSubtotal),
    taxesIncluded: () => true,
    test: () => true,
    totalDiscountsSet: moneyBagResolver(orderDiscounts),
    totalOutstandingSet: moneyBagResolver((order) => (order.paid ? 0 : orderTotal(order))),
    totalPriceSet: moneyBagResolver(orderTotal),
    totalRefundedSet: zeroMoneyBag,
    totalShippingPriceSet: moneyBagResolver((order) => order.shippingMinor),
    totalTaxSet: zeroMoneyBag,
    transactions: (order) => [transactionOf(order)].filter((transaction) => transaction !== null),
    unpaid: ({ paid }) => !paid,
  }),
  LineItem: fieldsOf<LineItemView>({
    id: ({ line }) => gid('LineItem', line.id),
    contract: ({ order }, _args, { store }) => store.contracts.get(order.contractId ?? 0) ?? null,
    currentQuantity: ({ line }) => line.quantity,
    customAttributes: ({ line }) => line.customAttributes,
    discountedTotalSet: ({ line, order }) =>
      moneyBag(line.priceMinor - line.discountMinor, order.currencyCode),
    discountedUnitPriceSet: ({ line, order }) =>
      moneyBag(Math.round((line.priceMinor - line.discountMinor) / line.quantity), order.currencyCode),
    image: ({ line }) => imageOf(line.asset, line.title),
    isGiftCard: () => false,
    name: ({ line }) => [line.title, line.variantTitle].filter(Boolean).join(' - '),
    originalTotalSet: ({ line, order }) => moneyBag(line.priceMinor, order.currencyCode),
    originalUnitPriceSet: ({ line, order }) =>
      moneyBag(Math.round(line.priceMinor / line.quantity), order.currencyCode),
    product: ({ line }, _args, { store }) => store.products.get(line.productId ?? 0) ?? null,
    quantity: ({ line }) => line.quantity,
    requiresShipping: ({ line }) => line.requiresShipping,
    sellingPlan: ({ line }) =>
      line.sellingPlanName === null
        ? null
        : {
            name: line.sellingPlanName,
            sellingPlanId: line.sellingPlanId === null ? null : gid('SellingPlan', line.sellingPlanId),
          },
    sku: ({ line }) => line.sku,
    taxable: ({ line }) => line.taxable,
    title: ({ line }) => line.title,
    totalDiscountSet: ({ line, order }) => moneyBag(line.discountMinor, order.currencyCode),
    unfulfilledQuantity: ({ line, order }) =>
      (line.quantity / order.deliveriesDue.length) * (order.deliveriesDue.length - order.deliveriesSent),
    variant: ({ line }, _args, { store }) => store.variants.get(line.variantId ?? 0) ?? null,
    variantTitle: ({ line }) => line.variantTitle,
    vendor: (_view, _args, { store }) => store.name,
  }),
};
