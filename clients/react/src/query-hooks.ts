/** The hooks that read. They display pending changes, refetch as TanStack Query does, and leave retries to the client. */
import { type InfiniteData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { Connection, CustomerClient, ServiceError } from 'subscription-management-client';
import { withChangedOrders, withChanges, withRequestedRetry } from './optimistic.ts';
import { usePendingChanges } from './pending-changes.ts';
import {
  type PagesQuery,
  type PaymentStateView,
  type PaymentView,
  type QueryContext,
  subscriptionQueries,
} from './queries.ts';
import { concernsSubscription } from './query-keys.ts';
import { useCustomer } from './session.ts';

type SubscriptionReads = CustomerClient['subscriptions'];
type PageOfRead<Name extends 'list' | 'upcoming'> = Awaited<ReturnType<SubscriptionReads[Name]>>;
type SubscriptionOfRead = Awaited<ReturnType<SubscriptionReads['get']>>;
type StoreOfRead = Awaited<ReturnType<CustomerClient['store']>>;

/** The options of each hook that reads. */
export type ReadOptions = {
  /** Whether the hook reads at all: true if absent. */
  readonly enabled?: boolean;
  /** How long data counts as fresh, in milliseconds: as in the app's QueryClient if absent. */
  readonly staleTime?: number;
  /** How often data is read again, in milliseconds: never if absent. */
  readonly refetchInterval?: number | false;
};

/** Returns the queries and the options of a hook. It reads only while a customer is signed in. */
function useReadOptions({ enabled = true, ...options }: ReadOptions) {
  const { client, customerId } = useCustomer();
  const queries = useMemo(() => subscriptionQueries(client, customerId), [client, customerId]);
  return { queries, options: { ...options, enabled: enabled && customerId !== null } };
}

function useItemsOfPages<Item, Page>(
  query: PagesQuery<Page & Connection<Item>>,
  options: ReturnType<typeof useReadOptions>['options'],
) {
  return useInfiniteQuery<
    Page & Connection<Item>,
    ServiceError,
    readonly Item[],
    readonly unknown[],
    string | null
  >({ ...query, ...options, select: itemsOfPages });
}

const itemsOfPages = <Item>({ pages }: InfiniteData<{ readonly nodes: readonly Item[] }>): readonly Item[] =>
  pages.flatMap(({ nodes }) => nodes);

/** Reads the customer's subscriptions. `data` has those of all pages that `fetchNextPage` has read, each with `storeTimeZone`. */
export function useSubscriptions(given: ReadOptions = {}) {
  const { queries, options } = useReadOptions(given);
  const pendingChanges = usePendingChanges();
  const selectPages = useCallback(
    ({ pages }: InfiniteData<PageOfRead<'list'>>) =>
      pages.flatMap(({ nodes, storeTimeZone }) =>
        nodes.map((item) => {
          const changesOfItem = pendingChanges.filter(({ contractId }) => contractId === item.id);
          return withChanges({ ...item, storeTimeZone }, changesOfItem);
        }),
      ),
    [pendingChanges],
  );
  return useInfiniteQuery<
    PageOfRead<'list'>,
    ServiceError,
    ReturnType<typeof selectPages>,
    readonly unknown[],
    string | null
  >({
    ...queries.list(),
    ...options,
    select: selectPages,
  });
}

/** Reads one subscription: lines, delivery, payment method, next orders. */
export function useSubscription(contractId: string, given: ReadOptions = {}) {
  const { queries, options } = useReadOptions(given);
  const pendingChanges = usePendingChanges(contractId);
  const select = useCallback(
    (data: SubscriptionOfRead) => withChanges(data, pendingChanges),
    [pendingChanges],
  );
  return useQuery<SubscriptionOfRead, ServiceError, SubscriptionOfRead, readonly unknown[]>({
    ...queries.detail(contractId),
    ...options,
    select,
  });
}

/** Reads the orders of the coming year, skipped ones too. */
export function useUpcomingOrders(contractId: string, given: ReadOptions = {}) {
  const { queries, options } = useReadOptions(given);
  const pendingChanges = usePendingChanges(contractId);
  const selectOrders = useCallback(
    (data: InfiniteData<PageOfRead<'upcoming'>>) => withChangedOrders(itemsOfPages(data), pendingChanges),
    [pendingChanges],
  );
  return useInfiniteQuery<
    PageOfRead<'upcoming'>,
    ServiceError,
    ReturnType<typeof selectOrders>,
    readonly unknown[],
    string | null
  >({
    ...queries.upcoming(contractId),
    ...options,
    select: selectOrders,
  });
}

/** Reads the timeline, newest first. */
export function useEvents(contractId: string, given: ReadOptions = {}) {
  const { queries, options } = useReadOptions(given);
  return useItemsOfPages(queries.events(contractId), options);
}

/** The options of `useLineOptions`. */
export type LineOptionsOptions = ReadOptions & {
  /** The line to replace; the products that can be added if absent. */
  readonly lineId?: string;
};

/**
 * Reads the products that can replace a line, or be added. A page can be empty without being the last. Without `lineId`
 * it also has variants of the present lines, which are usually refused: show only options for which no line of the
 * subscription has the `productVariant.id` as `variantId`.
 */
export function useLineOptions(contractId: string, { lineId, ...given }: LineOptionsOptions = {}) {
  const { queries, options } = useReadOptions(given);
  return useItemsOfPages(queries.lineOptions(contractId, lineId), options);
}

/**
 * Reads the last attempt to charge the subscription: the reason of a decline, or a payment that waits for the customer. In
 * that case (`outcome: 'ACTION_REQUIRED'`), a button calls `lastPayment` of the client, and opens its `nextActionUrl`. When
 * it reads another outcome or a new attempt, the subscription's other queries and the list are read again.
 */
export function useLastPayment(contractId: string, given: ReadOptions = {}) {
  const { queries, options } = useReadOptions(given);
  const query = queries.lastPayment(contractId);
  const queryFn = useInvalidatingQueryFn(
    contractId,
    query,
    (before, payment) =>
      [before.outcome, before.createdAt].join() !== [payment.outcome, payment.createdAt].join(),
  );
  return useQuery<PaymentView, ServiceError>({ ...query, queryFn, ...options });
}

/**
 * Reads how the payment of a subscription stands; null where the service does not bill. If `canConfirm`, a button calls
 * `paymentState` of the client, and opens its `confirmationUrl`. When it reads another status, the subscription's other
 * queries and the list are read again.
 */
export function usePayment(contractId: string, given: ReadOptions = {}) {
  const { queries, options } = useReadOptions(given);
  const pendingChanges = usePendingChanges(contractId);
  const selectPayment = useCallback(
    (payment: PaymentStateView | null) => withRequestedRetry(payment, pendingChanges),
    [pendingChanges],
  );
  const query = queries.payment(contractId);
  const queryFn = useInvalidatingQueryFn(
    contractId,
    query,
    (before, payment) => before?.status !== payment?.status,
  );
  return useQuery<PaymentStateView | null, ServiceError>({
    ...query,
    queryFn,
    ...options,
    select: selectPayment,
  });
}

/** Creates the function of a query that also has the subscription's other queries read again when its result differs. */
function useInvalidatingQueryFn<Data>(
  contractId: string,
  { queryKey, queryFn }: { queryKey: readonly unknown[]; queryFn: (context: QueryContext) => Promise<Data> },
  isDifferent: (previousData: Data, newData: Data) => boolean,
) {
  const queryClient = useQueryClient();
  return async (context: QueryContext): Promise<Data> => {
    const cachedData = queryClient.getQueryData<Data>(queryKey);
    const newData = await queryFn(context);
    if (cachedData !== undefined && isDifferent(cachedData, newData))
      void queryClient.invalidateQueries({
        // Not this query, which is being read.
        predicate: (otherQuery) =>
          concernsSubscription(otherQuery.queryKey, contractId) && otherQuery.queryKey[2] !== queryKey[2],
      });
    return newData;
  };
}

/** Reads the customer's payment methods, for `useUpdatePaymentMethod` and `useStartPaymentMethodUpdate`. */
export function usePaymentMethods(given: ReadOptions = {}) {
  const { queries, options } = useReadOptions(given);
  return useItemsOfPages(queries.paymentMethods(), options);
}

/** Reads the customer's address book. `toAddressInput` of the client turns an address into the argument of a change. */
export function useAddresses(given: ReadOptions = {}) {
  const { queries, options } = useReadOptions(given);
  return useItemsOfPages(queries.addresses(), options);
}

/** Reads the store, also whether it offers to send an order now: `sendNow`. */
export function useStore(given: ReadOptions = {}) {
  const { queries, options } = useReadOptions(given);
  return useQuery<StoreOfRead, ServiceError>({ ...queries.store(), ...options });
}
