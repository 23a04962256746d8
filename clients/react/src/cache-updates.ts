/**
 * Makes a change, writes its result to the cache, and invalidates the queries with data that the result does not
 * contain. If several changes are pending, only the last one refetches these queries.
 */
import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { Answer, Connection, SubscriptionDetails } from 'subscription-management-client';
import type { ChangeName } from './optimistic.ts';
import { pendingChangesOf } from './pending-changes.ts';
import { type CustomerId, concernsSubscription, KEY_ROOT, keyOf, type QueryKind } from './query-keys.ts';

/** The queries that a change of an order affects: those with orders, and the timeline, which gets an entry. */
const QUERIES_WITH_ORDERS = ['list', 'upcoming', 'events'] as const;
/** The queries that a change of the lines or the plan affects: other products can then be chosen too. */
const QUERIES_WITH_ORDERS_OR_PRODUCTS = [...QUERIES_WITH_ORDERS, 'lineOptions'] as const;

/** The queries that a change affects. `detail` is in none: the change returns the subscription. */
const AFFECTED_QUERIES_BY_CHANGE: Readonly<Record<ChangeName, readonly QueryKind[]>> = {
  skip: QUERIES_WITH_ORDERS,
  unskip: QUERIES_WITH_ORDERS,
  reschedule: QUERIES_WITH_ORDERS,
  sendNow: QUERIES_WITH_ORDERS,
  postpone: QUERIES_WITH_ORDERS,
  revertPostponement: QUERIES_WITH_ORDERS,
  pause: QUERIES_WITH_ORDERS,
  resume: QUERIES_WITH_ORDERS,
  cancel: QUERIES_WITH_ORDERS,
  updateInterval: QUERIES_WITH_ORDERS_OR_PRODUCTS,
  updateLines: QUERIES_WITH_ORDERS_OR_PRODUCTS,
  updateDelivery: QUERIES_WITH_ORDERS,
  // Neither a list nor an order has the payment method.
  updatePaymentMethod: ['events', 'payment'],
  retryPayment: ['payment'],
  applyDiscountCode: QUERIES_WITH_ORDERS,
  removeDiscount: QUERIES_WITH_ORDERS,
};

/**
 * Marks everything that was read of a subscription as stale, and the list; what is on the screen is read again. Call it
 * after a change that no hook made: the customer confirmed a payment, or used the store's portal.
 * @returns a promise that resolves when it was read.
 */
export const invalidateSubscription = (queryClient: QueryClient, contractId: string): Promise<void> =>
  queryClient.invalidateQueries({ predicate: ({ queryKey }) => concernsSubscription(queryKey, contractId) });

type SubscriptionChange = {
  readonly name: ChangeName;
  readonly customerId: CustomerId;
  readonly contractId: string;
};
type ChangeResponse = Answer<{ readonly subscription: SubscriptionDetails | null }>;

/**
 * Sends the change, and returns its result when the cache has it.
 * @throws the error of `sendChange`
 */
export async function makeChange<Response extends ChangeResponse>(
  queryClient: QueryClient,
  change: SubscriptionChange,
  sendChange: () => Promise<Response>,
): Promise<Response> {
  const detailKey = keyOf(change.customerId, 'detail', change.contractId);
  const readDetailState = () => queryClient.getQueryState(detailKey);
  const detailReadAtMs = readDetailState()?.dataUpdatedAt;
  const changeResult = await sendChange().catch(async (error) => {
    // The service may have made the change although the call failed.
    await settleChange(queryClient, change, { isDetailStale: true });
    throw error;
  });
  const detailState = readDetailState();
  const isDetailStale =
    // An earlier change failed without a certain outcome: the service may still make it.
    detailState?.isInvalidated === true ||
    detailState?.fetchStatus === 'fetching' ||
    detailState?.dataUpdatedAt !== detailReadAtMs;
  await settleChange(queryClient, change, { result: changeResult, isDetailStale });
  return changeResult;
}

type ChangeOutcome = {
  readonly result?: ChangeResponse;
  /**
   * Whether the subscription was read while the change was under way. The service may have read it before the change, or
   * after a later change by somebody else.
   */
  readonly isDetailStale: boolean;
};

async function settleChange(
  queryClient: QueryClient,
  change: SubscriptionChange,
  { result, isDetailStale }: ChangeOutcome,
): Promise<void> {
  const { name, customerId, contractId } = change;
  const detailKey = keyOf(customerId, 'detail', contractId);
  const affectedQueryKeys = AFFECTED_QUERIES_BY_CHANGE[name].map((kind) =>
    kind === 'list' ? keyOf(customerId, kind) : keyOf(customerId, kind, contractId),
  );
  // A response that is under way may be older than the change.
  await Promise.all(
    [detailKey, ...affectedQueryKeys].map((queryKey) => queryClient.cancelQueries({ queryKey })),
  );
  if (result?.subscription)
    writeSubscription(queryClient, change, { ...result.subscription, errors: result.errors });
  const staleQueryKeys =
    result?.subscription && !isDetailStale ? affectedQueryKeys : [detailKey, ...affectedQueryKeys];
  for (const queryKey of staleQueryKeys)
    void queryClient.invalidateQueries({ queryKey, refetchType: 'none' });
  // The next change of the subscription would make a read outdated. This change itself is still pending.
  if (queryClient.isMutating(pendingChangesOf(customerId, contractId)) > 1) return;
  void queryClient.refetchQueries(
    { queryKey: [KEY_ROOT, customerId], type: 'active', predicate: ({ state }) => state.isInvalidated },
    // Reads of other subscriptions may be in progress.
    { cancelRefetch: false },
  );
}

/** Writes the changed subscription, but only over cached data: after a sign-out nothing returns to the cache. */
function writeSubscription(
  queryClient: QueryClient,
  { name, customerId, contractId }: SubscriptionChange,
  subscription: Answer<SubscriptionDetails>,
): void {
  queryClient.setQueryData<Answer<SubscriptionDetails>>(
    keyOf(customerId, 'detail', contractId),
    // A change returns no time zone: the cached one stays.
    (old) => old && { ...old, ...subscription },
  );
  // The list is not read again after this change, so it must not get a response that may be older than its data.
  if (!AFFECTED_QUERIES_BY_CHANGE[name].includes('list')) return;
  const updateCachedItems = <Item extends object>(key: readonly unknown[], update: (item: Item) => Item) =>
    queryClient.setQueryData<InfiniteData<Connection<Item>>>(
      key,
      (old) => old && withReplacedItems(old, update),
    );
  updateCachedItems<Pick<SubscriptionDetails, 'id'>>(keyOf(customerId, 'list'), (item) =>
    item.id === contractId ? { ...item, ...subscription } : item,
  );
  const orders = subscription.billingCycles?.nodes ?? [];
  updateCachedItems<(typeof orders)[number]>(keyOf(customerId, 'upcoming', contractId), (order) => ({
    ...order,
    ...orders.find(({ cycleIndex }) => cycleIndex === order.cycleIndex),
  }));
}

function withReplacedItems<Item>(
  data: InfiniteData<Connection<Item>>,
  update: (item: Item) => Item,
): InfiniteData<Connection<Item>> {
  return { ...data, pages: data.pages.map((page) => ({ ...page, nodes: page.nodes.map(update) })) };
}
