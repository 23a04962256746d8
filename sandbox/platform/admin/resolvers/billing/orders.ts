/** Reads orders, which charged cycles create: single ones, lists and counts, with lines, payment and delivery. */
import type { OrderLineRecord, OrderRecord } from '../../../state/contract-records.ts';
import { type AdminContext, type ResolverMap, typeResolvers } from '../../context.ts';
import { toCountView } from '../../cost/counts.ts';
import { formatGid, requireGidNumber } from '../../gid.ts';
import { findVisibleOrder, listVisibleOrders } from '../../list-visible-orders.ts';
import { type ConnectionArgs, createConnection } from '../../lists/connections.ts';
import { createSearchTest, type SearchFields } from '../../lists/search.ts';
import { sortByKey } from '../../lists/sorting.ts';
import { toMoneyBag } from '../../money.ts';
import { toImageView } from '../catalogue/images.ts';
import { sumOrderDiscounts, sumOrderSubtotal, sumOrderTotal } from './order-totals.ts';

const ORDER_SEARCH_FIELDS: SearchFields<OrderRecord> = {
  created_at: { kind: 'instant', of: (order) => order.createdAt },
  processed_at: { kind: 'instant', of: (order) => order.createdAt },
  updated_at: { kind: 'instant', of: (order) => order.updatedAt },
  customer_id: { kind: 'number', of: (order) => order.customerId },
  id: { kind: 'number', of: (order) => order.id },
  name: { kind: 'text', of: (order) => [`#${order.number}`, String(order.number)] },
  tag: { kind: 'text', of: (order) => order.tags },
  financial_status: { kind: 'text', of: (order) => (order.paid ? 'paid' : 'pending') },
  fulfillment_status: { kind: 'text', of: (order) => describeFulfillmentStatus(order).search },
};

const ORDER_SORT_KEYS: Record<string, (order: OrderRecord) => string | number> = {
  CREATED_AT: (order) => order.createdAt,
  PROCESSED_AT: (order) => order.createdAt,
  UPDATED_AT: (order) => order.updatedAt,
  ORDER_NUMBER: (order) => order.number,
  TOTAL_PRICE: sumOrderTotal,
  CURRENT_TOTAL_PRICE: sumOrderTotal,
};

export type OrderListArgs = ConnectionArgs & { query?: string | null; sortKey?: string | null };

/** Returns the orders that match the query, sorted: all, or those of a group of the store's order table. */
export function findOrders(context: AdminContext, args: OrderListArgs, orderGroup?: string): OrderRecord[] {
  const matchesQuery = createSearchTest(args.query, ORDER_SEARCH_FIELDS, (order) => `#${order.number}`);
  const foundOrders = listVisibleOrders(context, orderGroup).filter(matchesQuery);
  return sortByKey(foundOrders, ORDER_SORT_KEYS[args.sortKey ?? 'ID'] ?? ((order) => order.id));
}

const createMoneyBagResolver = (sum: (order: OrderRecord) => number) => (order: OrderRecord) =>
  toMoneyBag(sum(order), order.currencyCode);
const resolveZeroMoneyBag = createMoneyBagResolver(() => 0);

type LineItemView = { line: OrderLineRecord; order: OrderRecord };

/** Returns the transaction of an order, or null while it is unpaid. */
export function toTransaction(order: OrderRecord) {
  if (!order.paid) return null;
  return {
    __typename: 'OrderTransaction',
    id: formatGid('OrderTransaction', order.transactionId),
    amountSet: toMoneyBag(sumOrderTotal(order), order.currencyCode),
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

/** Returns the display status and the search value for the number of deliveries that were sent. */
function describeFulfillmentStatus({ deliveriesDue, deliveriesSent }: OrderRecord) {
  if (deliveriesSent === 0) return { display: 'UNFULFILLED', search: 'unshipped' };
  return deliveriesSent < deliveriesDue.length
    ? { display: 'PARTIALLY_FULFILLED', search: 'partial' }
    : { display: 'FULFILLED', search: 'shipped' };
}

function isCompletelySent({ deliveriesDue, deliveriesSent }: OrderRecord): boolean {
  return deliveriesSent >= deliveriesDue.length;
}

/** Returns one fulfillment for each delivery that was sent. */
function toFulfillments(order: OrderRecord) {
  const { updatedAt, number, deliveriesDue, deliveriesSent } = order;
  const pieceCount = order.lines.reduce((sum, { quantity }) => sum + quantity, 0);
  return deliveriesDue.slice(0, deliveriesSent).map((dueAt, index) => {
    const id = index === 0 ? order.id : Number(`${order.id}${index}`);
    return {
      __typename: 'Fulfillment',
      id: formatGid('Fulfillment', id),
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
      totalQuantity: pieceCount / deliveriesDue.length,
      trackingInfo: [],
      updatedAt,
    };
  });
}

function toShippingLine(order: OrderRecord) {
  if (order.shippingTitle === null) return null;
  const price = toMoneyBag(order.shippingMinor, order.currencyCode);
  return {
    code: order.shippingTitle.toLowerCase(),
    currentDiscountedPriceSet: price,
    custom: false,
    discountedPriceSet: price,
    id: formatGid('ShippingLine', order.id),
    originalPriceSet: price,
    phone: null,
    source: 'shopify',
    title: order.shippingTitle,
  };
}

export const orderResolvers: ResolverMap = {
  QueryRoot: {
    order: (_parent: unknown, args: { id: string }, context) =>
      findVisibleOrder(context, requireGidNumber(args.id, 'Order')),
    orders: (_parent: unknown, args: OrderListArgs, context) =>
      createConnection(findOrders(context, args), args, (order) => order.id),
    ordersCount: (_parent: unknown, args: OrderListArgs & { limit?: number | null }, context) =>
      toCountView(findOrders(context, args).length, args.limit),
  },
  Order: typeResolvers<OrderRecord>({
    id: ({ id }) => formatGid('Order', id),
    legacyResourceId: ({ id }) => id,
    app: () => null,
    billingAddress: ({ shippingAddress }) => shippingAddress,
    billingAddressMatchesShippingAddress: () => true,
    cancelReason: () => null,
    cancelledAt: () => null,
    closed: isCompletelySent,
    closedAt: (order) => (isCompletelySent(order) ? order.updatedAt : null),
    confirmationNumber: ({ id }) => `C${id}`,
    confirmed: () => true,
    currentShippingPriceSet: createMoneyBagResolver((order) => order.shippingMinor),
    currentSubtotalPriceSet: createMoneyBagResolver(sumOrderSubtotal),
    currentTaxLines: () => [],
    currentTotalDiscountsSet: createMoneyBagResolver(sumOrderDiscounts),
    currentTotalPriceSet: createMoneyBagResolver(sumOrderTotal),
    currentTotalTaxSet: resolveZeroMoneyBag,
    customer: ({ customerId }, _args, { store }) => store.customers.get(customerId ?? 0) ?? null,
    customerLocale: () => 'en',
    displayAddress: ({ shippingAddress }) => shippingAddress,
    displayFinancialStatus: ({ paid }) => (paid ? 'PAID' : 'PENDING'),
    displayFulfillmentStatus: (order) => describeFulfillmentStatus(order).display,
    email: ({ customerId }, _args, { store }) => store.customers.get(customerId ?? 0)?.email ?? null,
    fulfillments: (order, args: { first?: number | null }) =>
      toFulfillments(order).slice(0, args.first ?? undefined),
    fulfillmentsCount: (order) => toCountView(toFulfillments(order).length),
    fullyPaid: ({ paid }) => paid,
    lineItems: (order, args: ConnectionArgs) =>
      createConnection(
        order.lines.map((line) => ({ __typename: 'LineItem', line, order })),
        args,
        ({ line }) => line.id,
      ),
    name: ({ number }) => `#${number}`,
    phone: () => null,
    presentmentCurrencyCode: ({ currencyCode }) => currencyCode,
    processedAt: ({ createdAt }) => createdAt,
    requiresShipping: ({ lines }) => lines.some((line) => line.requiresShipping),
    shippingLine: toShippingLine,
    sourceIdentifier: () => null,
    sourceName: ({ cycleIndex }) => (cycleIndex === null ? 'web' : 'subscription_contract'),
    statusPageUrl: ({ id }, _args, { store }) => `${store.storefrontUrl}/account/orders/${id}`,
    subtotalLineItemsQuantity: ({ lines }) => lines.reduce((sum, line) => sum + line.quantity, 0),
    subtotalPriceSet: createMoneyBagResolver(sumOrderSubtotal),
    taxesIncluded: () => true,
    test: () => true,
    totalDiscountsSet: createMoneyBagResolver(sumOrderDiscounts),
    totalOutstandingSet: createMoneyBagResolver((order) => (order.paid ? 0 : sumOrderTotal(order))),
    totalPriceSet: createMoneyBagResolver(sumOrderTotal),
    totalRefundedSet: resolveZeroMoneyBag,
    totalShippingPriceSet: createMoneyBagResolver((order) => order.shippingMinor),
    totalTaxSet: resolveZeroMoneyBag,
    transactions: (order) => [toTransaction(order)].filter((transaction) => transaction !== null),
    unpaid: ({ paid }) => !paid,
  }),
  LineItem: typeResolvers<LineItemView>({
    id: ({ line }) => formatGid('LineItem', line.id),
    contract: ({ order }, _args, { store }) => store.contracts.get(order.contractId ?? 0) ?? null,
    currentQuantity: ({ line }) => line.quantity,
    customAttributes: ({ line }) => line.customAttributes,
    discountedTotalSet: ({ line, order }) =>
      toMoneyBag(line.priceMinor - line.discountMinor, order.currencyCode),
    discountedUnitPriceSet: ({ line, order }) =>
      toMoneyBag(Math.round((line.priceMinor - line.discountMinor) / line.quantity), order.currencyCode),
    image: ({ line }) => toImageView(line.asset, line.title),
    isGiftCard: () => false,
    name: ({ line }) => [line.title, line.variantTitle].filter(Boolean).join(' - '),
    originalTotalSet: ({ line, order }) => toMoneyBag(line.priceMinor, order.currencyCode),
    originalUnitPriceSet: ({ line, order }) =>
      toMoneyBag(Math.round(line.priceMinor / line.quantity), order.currencyCode),
    product: ({ line }, _args, { store }) => store.products.get(line.productId ?? 0) ?? null,
    quantity: ({ line }) => line.quantity,
    requiresShipping: ({ line }) => line.requiresShipping,
    sellingPlan: ({ line }) =>
      line.sellingPlanName === null
        ? null
        : {
            name: line.sellingPlanName,
            sellingPlanId: line.sellingPlanId === null ? null : formatGid('SellingPlan', line.sellingPlanId),
          },
    sku: ({ line }) => line.sku,
    taxable: ({ line }) => line.taxable,
    title: ({ line }) => line.title,
    totalDiscountSet: ({ line, order }) => toMoneyBag(line.discountMinor, order.currencyCode),
    unfulfilledQuantity: ({ line, order }) =>
      (line.quantity / order.deliveriesDue.length) * (order.deliveriesDue.length - order.deliveriesSent),
    variant: ({ line }, _args, { store }) => store.variants.get(line.variantId ?? 0) ?? null,
    variantTitle: ({ line }) => line.variantTitle,
    vendor: (_view, _args, { store }) => store.name,
  }),
};
