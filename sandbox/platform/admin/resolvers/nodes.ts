/** `node` and `nodes`: every object of the store by its global id. */

import { createApiError } from '../api-error.ts';
import type { AdminContext, ResolverMap } from '../context.ts';
import { checkAccess, requirementsOfObject } from '../field-access.ts';
import { parseGid } from '../gid.ts';
import { findVisibleOrder, listVisibleOrders } from '../list-visible-orders.ts';
import { toTransaction } from './billing/orders.ts';
import { listCollections } from './catalogue/collections.ts';
import { toAppView } from './contracts/apps.ts';
import { formatAddressGid } from './delivery/addresses.ts';
import { listMarkets } from './markets.ts';

type NodeFinder = (context: AdminContext, tail: string) => unknown;

const createMapFinder =
  (
    collection:
      | 'attempts'
      | 'contracts'
      | 'customers'
      | 'drafts'
      | 'locations'
      | 'products'
      | 'sellingPlanGroups'
      | 'sellingPlans'
      | 'storefrontTokens'
      | 'variants',
  ): NodeFinder =>
  ({ store }, tail) =>
    /^\d+$/.test(tail) ? store[collection].get(Number(tail)) : undefined;

const createListFinder =
  (itemsOf: (context: AdminContext) => readonly { readonly id: number }[]): NodeFinder =>
  (context, tail) =>
    itemsOf(context).find(({ id }) => String(id) === tail);

const nodeFinders: Record<string, NodeFinder> = {
  App: createListFinder(({ store }) => [toAppView(store)]),
  Collection: createListFinder(listCollections),
  Customer: createMapFinder('customers'),
  CustomerPaymentMethod: ({ store }, tail) => {
    const method = store.paymentMethods.get(tail);
    return method?.revokedAt === null ? method : undefined;
  },
  LineItem: (context, tail) => {
    for (const order of listVisibleOrders(context)) {
      const line = order.lines.find(({ id }) => String(id) === tail);
      if (line !== undefined) return { __typename: 'LineItem', line, order };
    }
    return undefined;
  },
  Location: createMapFinder('locations'),
  MailingAddress: ({ store }, tail) => {
    const address = store.addresses.get(Number.parseInt(tail, 10));
    return address !== undefined && formatAddressGid(address).endsWith(`/${tail}`) ? address : undefined;
  },
  Market: createListFinder(listMarkets),
  Metafield: ({ store }, tail) => [...store.metafields.values()].find(({ id }) => String(id) === tail),
  Order: (context, tail) => (/^\d+$/.test(tail) ? findVisibleOrder(context, Number(tail)) : null),
  OrderTransaction: (context, tail) => {
    const order = listVisibleOrders(context).find(({ transactionId }) => String(transactionId) === tail);
    return order === undefined ? undefined : toTransaction(order);
  },
  Product: createMapFinder('products'),
  ProductVariant: createMapFinder('variants'),
  SellingPlan: createMapFinder('sellingPlans'),
  SellingPlanGroup: createMapFinder('sellingPlanGroups'),
  Shop: ({ store }, tail) => (tail === String(store.shopId) ? store : undefined),
  StorefrontAccessToken: createMapFinder('storefrontTokens'),
  SubscriptionBillingAttempt: createMapFinder('attempts'),
  SubscriptionContract: createMapFinder('contracts'),
  SubscriptionDraft: createMapFinder('drafts'),
};

/**
 * Returns the record that a global id names, or null. An invalid id is an error, as is a type that is not emulated, and
 * an object that the app may not read.
 */
export function findNode(id: string, context: AdminContext): unknown {
  return createNodeLookup(id, context)();
}

/** Returns the function that reads the object of a global id from the store's state. */
function createNodeLookup(id: string, context: AdminContext): () => unknown {
  const parsedGid = parseGid(id);
  if (parsedGid === null) throw createApiError(`Invalid global id '${id}'`, 'argumentLiteralsIncompatible');
  const findNodeOfType = nodeFinders[parsedGid.type];
  if (findNodeOfType === undefined)
    throw createApiError(`"node" does not find ${parsedGid.type} in this emulator yet`, 'NOT_EMULATED');
  return () => {
    checkAccess(context.store, 'node', requirementsOfObject(parsedGid.type));
    return findNodeOfType(context, parsedGid.tail) ?? null;
  };
}

export const nodeResolvers: ResolverMap = {
  QueryRoot: {
    node: (_parent: unknown, { id }: { id: string }, context) => findNode(id, context),
    // An object that the app may not read is an error of its own, and leaves the others readable.
    nodes: (_parent: unknown, { ids }: { ids: string[] }, context) =>
      ids.map((id) => createNodeLookup(id, context)).map(async (readNode) => readNode()),
  },
};
