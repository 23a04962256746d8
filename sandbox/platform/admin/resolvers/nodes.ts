/** `node` and `nodes`: every object of the store by its global id. */

import { apiError } from '../api-error.ts';
import type { AdminContext, ResolverMap } from '../context.ts';
import { checkAccess, needsOfObject } from '../field-access.ts';
import { parseGid } from '../gid.ts';
import { visibleOrder, visibleOrders } from '../visible-orders.ts';
import { transactionOf } from './billing/orders.ts';
import { collectionsOf } from './catalogue/collections.ts';
import { appOf } from './contracts/apps.ts';
import { addressGid } from './delivery/addresses.ts';
import { marketsOf } from './markets.ts';

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
  App: createListFinder(({ store }) => [appOf(store)]),
  Collection: createListFinder(collectionsOf),
  Customer: createMapFinder('customers'),
  CustomerPaymentMethod: ({ store }, tail) => {
    const method = store.paymentMethods.get(tail);
    return method?.revokedAt === null ? method : undefined;
  },
  LineItem: (context, tail) => {
    for (const order of visibleOrders(context)) {
      const line = order.lines.find(({ id }) => String(id) === tail);
      if (line !== undefined) return { __typename: 'LineItem', line, order };
    }
    return undefined;
  },
  Location: createMapFinder('locations'),
  MailingAddress: ({ store }, tail) => {
    const address = store.addresses.get(Number.parseInt(tail, 10));
    return address !== undefined && addressGid(address).endsWith(`/${tail}`) ? address : undefined;
  },
  Market: createListFinder(marketsOf),
  Metafield: ({ store }, tail) => [...store.metafields.values()].find(({ id }) => String(id) === tail),
  Order: (context, tail) => (/^\d+$/.test(tail) ? visibleOrder(context, Number(tail)) : null),
  OrderTransaction: (context, tail) => {
    const order = visibleOrders(context).find(({ transactionId }) => String(transactionId) === tail);
    return order === undefined ? undefined : transactionOf(order);
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
  return lookupOf(id, context)();
}

/** Returns the lookup for the id. */
function lookupOf(id: string, context: AdminContext): () => unknown {
  const parsed = parseGid(id);
  if (parsed === null) throw apiError(`Invalid global id '${id}'`, 'argumentLiteralsIncompatible');
  const finder = nodeFinders[parsed.type];
  if (finder === undefined)
    throw apiError(`"node" does not find ${parsed.type} in this emulator yet`, 'NOT_EMULATED');
  return () => {
    checkAccess(context.store, 'node', needsOfObject(parsed.type));
    return finder(context, parsed.tail) ?? null;
  };
}

export const nodeResolvers: ResolverMap = {
  QueryRoot: {
    node: (_parent: unknown, { id }: { id: string }, context) => findNode(id, context),
    // A denied object does not deny the others.
    nodes: (_parent: unknown, { ids }: { ids: string[] }, context) =>
      ids.map((id) => lookupOf(id, context)).map(async (search) => search()),
  },
};
