/** Query options for TanStack Query 5 of any framework. */
import {
  type Answer,
  type Connection,
  type CustomerClient,
  type LastPayment,
  lastPayment,
  type PaymentState,
  paymentState,
  type Signal,
} from 'subscription-management-client';
import { type CustomerId, keyOf } from './query-keys.ts';

/** The last payment without the URL of its confirmation: no cache may keep it. */
export type PaymentView = Answer<Omit<LastPayment, 'nextActionUrl'>>;

/** The payment with whether it can be confirmed, in place of the URL: no cache may keep it. */
export type PaymentStateView = PaymentState & {
  /** Whether the customer can confirm the payment: a button reads the URL with `paymentState` and opens it. */
  readonly canConfirm: boolean;
};

export type QueryContext = { readonly signal: Signal };
type PageContext = QueryContext & { readonly pageParam: string | null };

/** The client repeats requests itself: a second retry would multiply the attempts. */
const WITHOUT_RETRY = { retry: false } as const;

/**
 * Creates the query options of one customer: `useQuery(subscriptionQueries(client, customerId).detail(contractId))`. All
 * except `detail`, `lastPayment`, `payment` and `store` are for infinite queries. `customerId` is the one of the client's session.
 */
export function subscriptionQueries(client: CustomerClient, customerId: CustomerId) {
  const { account, subscriptions } = client;
  return {
    /** The customer's subscriptions, in pages. */
    list: () => pagesQuery(keyOf(customerId, 'list'), subscriptions.list),
    /** One subscription as `subscriptions.get` returns it. */
    detail: (contractId: string) => ({
      queryKey: keyOf(customerId, 'detail', contractId),
      queryFn: ({ signal }: QueryContext) => subscriptions.get({ contractId }, { signal }),
      ...WITHOUT_RETRY,
    }),
    /** The orders of the coming year, in pages. */
    upcoming: (contractId: string) =>
      pagesQuery(keyOf(customerId, 'upcoming', contractId), (page, options) =>
        subscriptions.upcoming({ contractId, ...page }, options),
      ),
    /** The timeline, in pages, newest first. */
    events: (contractId: string) =>
      pagesQuery(keyOf(customerId, 'events', contractId), (page, options) =>
        subscriptions.events({ contractId, ...page }, options),
      ),
    /** The products that can replace a line; without `lineId`, the products that can be added. In pages. */
    lineOptions: (contractId: string, lineId: string | null = null) =>
      pagesQuery(keyOf(customerId, 'lineOptions', contractId, lineId), (page, options) =>
        subscriptions.lineOptions({ contractId, lineId, ...page }, options),
      ),
    /** The last attempt to charge the subscription. */
    lastPayment: (contractId: string) => ({
      queryKey: keyOf(customerId, 'lastPayment', contractId),
      queryFn: async ({ signal }: QueryContext): Promise<PaymentView> => {
        const { nextActionUrl: _secret, ...payment } = await lastPayment(client, { contractId }, { signal });
        return payment;
      },
      ...WITHOUT_RETRY,
    }),
    /** The payment of a subscription; null where the service does not bill. */
    payment: (contractId: string) => ({
      queryKey: keyOf(customerId, 'payment', contractId),
      queryFn: async ({ signal }: QueryContext): Promise<PaymentStateView | null> => {
        const { payment } = await paymentState(client, { contractId }, { signal });
        if (!payment) return null;
        const { confirmationUrl, ...view } = payment;
        return { ...view, canConfirm: confirmationUrl !== null };
      },
      ...WITHOUT_RETRY,
    }),
    /** The customer's payment methods, in pages. */
    paymentMethods: () => pagesQuery(keyOf(customerId, 'paymentMethods'), account.paymentMethods),
    /** The store: its name, address, time zone and languages, and whether it offers to send an order now. */
    store: () => ({
      queryKey: keyOf(customerId, 'store'),
      queryFn: ({ signal }: QueryContext) => client.store({}, { signal }),
      ...WITHOUT_RETRY,
    }),
    /** The customer's address book, in pages. */
    addresses: () => pagesQuery(keyOf(customerId, 'addresses'), account.addresses),
  };
}

/** The options of a list in pages. */
export type PagesQuery<Page extends Connection<unknown>> = ReturnType<
  typeof pagesQuery<readonly unknown[], Page>
>;

function pagesQuery<Key extends readonly unknown[], Page extends Connection<unknown>>(
  queryKey: Key,
  read: (page: { readonly after: string | null }, options: QueryContext) => Promise<Page>,
) {
  return {
    queryKey,
    queryFn: ({ pageParam, signal }: PageContext) => read({ after: pageParam }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ pageInfo }: Page) => (pageInfo.hasNextPage ? pageInfo.endCursor : null),
    ...WITHOUT_RETRY,
  };
}
