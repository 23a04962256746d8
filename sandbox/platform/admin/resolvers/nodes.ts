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

type Finder = (context: AdminContext, tail: string) => unknown;

const byNumber =
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
  ): Finder =>
  ({ store }, tail) =>
    /^\d+$/.test(tail) ? store[collection].get(Number(tail)) : undefined;

const among =
  (itemsOf: (context: AdminContext) => readonly { readonly id: number }[]): Finder =>
  (context, tail) =>
    itemsOf(context).find(({ id }) => String(id) === tail);

const finders: Record<string, Finder> = {
  App: among(({ store }) => [appOf(store)]),
  Collection: among(collectionsOf),
  Customer: byNumber('customers'),
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
  Location: byNumber('locations'),
  MailingAddress: ({ store }, tail) => {
    const address = store.addresses.get(Number.parseInt(tail, 10));
    return address !== undefined && addressGid(address).endsWith(`/${tail}`) ? address : undefined;
  },
  Market: among(marketsOf),
  Metafield: ({ store }, tail) => [...store.metafields.values()].find(({ id }) => String(id) === tail),
  Order: (context, tail) => (/^\d+$/.test(tail) ? visibleOrder(context, Number(tail)) : null),
  OrderTransaction: (context, tail) => {
    const order = visibleOrders(context).find(({ transactionId }) => String(transactionId) === tail);
    return order === undefined ? undefined : transactionOf(order);
  },
  Product: byNumber('products'),
  ProductVariant: byNumber('variants'),
  SellingPlan: byNumber('sellingPlans'),
  SellingPlanGroup: byNumber('sellingPlanGroups'),
  Shop: ({ store }, tail) => (tail === String(store.shopId) ? store : undefined),
  StorefrontAccessToken: byNumber('storefrontTokens'),
  SubscriptionBillingAttempt: byNumber('attempts'),
  SubscriptionContract: byNumber('contracts'),
  SubscriptionDraft: byNumber('drafts'),
};

/**
 * Returns the record that a global id names, or null. An invalid id is an error, as is a type that is not emulated, and
 * an object that the app may not read.
 */
export function findNode(id: string, context: AdminContext): unknown {
  return searchOf(id, context)();
}

/** Returns the lookup for the id. */
function searchOf(id: string, context: AdminContext): () => unknown {
  const parsed = parseGid(id);
  if (parsed === null) throw apiError(`Invalid global id '${id}'`, 'argumentLiteralsIncompatible');
  const finder = finders[parsed.type];
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
      ids.map((id) => searchOf(id, context)).map(async (search) => search()),
  },
};
