/**
 * Query options for TanStack Query 5 of any framework. Every key names the customer, so that no data of one customer is
 * found under the key of another, wherever the cache was stored.
 */
import type { Connection, CustomerClient, Signal } from 'subscription-management-client';

/** The first part of each key of queries and changes. */
export const KEY_ROOT = 'subscription-management';

export type QueryKind = 'list' | 'detail' | 'upcoming' | 'events' | 'lineOptions';

/** The customer's id as in `session()`; null while nobody is signed in. */
export type CustomerId = number | null;

/** Returns the key of a query, or the start of the keys of several queries. */
export const keyOf = (customerId: CustomerId, kind: QueryKind, ...more: readonly unknown[]) =>
  [KEY_ROOT, customerId, kind, ...more] as const;

type QueryContext = { readonly signal: Signal };
type PageContext = QueryContext & { readonly pageParam: string | null };

/** The client repeats requests itself: a second retry would multiply the attempts. */
const NO_RETRY = { retry: false } as const;

/**
 * Creates the query options of one customer: `useQuery(subscriptionQueries(client, customerId).detail(contractId))`. All
 * except `detail` are for infinite queries. `customerId` is the one of the client's session.
 */
export function subscriptionQueries(client: CustomerClient, customerId: CustomerId) {
  const { subscriptions } = client;
  return {
    /** The customer's subscriptions, in pages. */
    list: () => pagesOf(keyOf(customerId, 'list'), subscriptions.list),
    /** One subscription as `subscriptions.get` returns it. */
    detail: (contractId: string) => ({
      queryKey: keyOf(customerId, 'detail', contractId),
      queryFn: ({ signal }: QueryContext) => subscriptions.get({ contractId }, { signal }),
      ...NO_RETRY,
    }),
    /** The orders of the coming year, in pages. */
    upcoming: (contractId: string) =>
      pagesOf(keyOf(customerId, 'upcoming', contractId), (page, options) =>
        subscriptions.upcoming({ contractId, ...page }, options),
      ),
    /** The timeline, in pages, newest first. */
    events: (contractId: string) =>
      pagesOf(keyOf(customerId, 'events', contractId), (page, options) =>
        subscriptions.events({ contractId, ...page }, options),
      ),
    /** The products that can replace a line; without `lineId`, the products that can be added. In pages. */
    lineOptions: (contractId: string, lineId: string | null = null) =>
      pagesOf(keyOf(customerId, 'lineOptions', contractId, lineId), (page, options) =>
        subscriptions.lineOptions({ contractId, lineId, ...page }, options),
      ),
  };
}

function pagesOf<Key extends readonly unknown[], Page extends Connection<unknown>>(
  queryKey: Key,
  read: (page: { readonly after: string | null }, options: QueryContext) => Promise<Page>,
) {
  return {
    queryKey,
    queryFn: ({ pageParam, signal }: PageContext) => read({ after: pageParam }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ pageInfo }: Page) => (pageInfo.hasNextPage ? pageInfo.endCursor : null),
    ...NO_RETRY,
  };
}
