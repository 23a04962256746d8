/**
 * Makes a change, writes its result to the cache, and marks as stale what the result does not contain. The last of
 * several changes reads it again.
 */
import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { Answer, Connection, SubscriptionDetails } from 'subscription-management-client';
import type { ChangeName } from './optimistic.ts';
import { pendingChangesOf } from './pending-changes.ts';
import { type CustomerId, concernsSubscription, KEY_ROOT, keyOf, type QueryKind } from './query-keys.ts';

const ORDER_QUERIES = ['list', 'upcoming', 'events'] as const;
/** With other lines or another plan, other products can be chosen. */
const GOODS_QUERIES = [...ORDER_QUERIES, 'lineOptions'] as const;

/** The queries that a change affects. `detail` is in none: the change returns the subscription. */
const AFFECTED_QUERIES_BY_CHANGE: Readonly<Record<ChangeName, readonly QueryKind[]>> = {
  skip: ORDER_QUERIES,
  unskip: ORDER_QUERIES,
  reschedule: ORDER_QUERIES,
  sendNow: ORDER_QUERIES,
  postpone: ORDER_QUERIES,
  revertPostponement: ORDER_QUERIES,
  pause: ORDER_QUERIES,
  resume: ORDER_QUERIES,
  cancel: ORDER_QUERIES,
  updateInterval: GOODS_QUERIES,
  updateLines: GOODS_QUERIES,
  updateDelivery: ORDER_QUERIES,
  // Neither a list nor an order has the payment method.
  updatePaymentMethod: ['events', 'payment'],
  retryPayment: ['payment'],
  applyDiscountCode: ORDER_QUERIES,
  removeDiscount: ORDER_QUERIES,
};

/**
 * Marks everything that was read of a subscription as stale, and the list; what is on the screen is read again. Call it
 * after a change that no hook made: the customer confirmed a payment, or used the store's portal.
 * @returns a promise that resolves when it was read.
 */
export const invalidateSubscription = (queryClient: QueryClient, contractId: string): Promise<void> =>
  queryClient.invalidateQueries({ predicate: ({ queryKey }) => concernsSubscription(queryKey, contractId) });

type ChangeToMake = {
  readonly name: ChangeName;
  readonly customerId: CustomerId;
  readonly contractId: string;
};
type ChangeResponse = Answer<{ readonly subscription: SubscriptionDetails | null }>;

/**
 * Sends a change by `run`, and returns its result when the cache has it.
 * @throws the error of `run`
 */
export async function makeChange<Made extends ChangeResponse>(
  queryClient: QueryClient,
  change: ChangeToMake,
  run: () => Promise<Made>,
): Promise<Made> {
  const detailKey = keyOf(change.customerId, 'detail', change.contractId);
  const readDetailState = () => queryClient.getQueryState(detailKey);
  const readAtMs = readDetailState()?.dataUpdatedAt;
  const changeResult = await run().catch(async (error) => {
    // The change may have been made nevertheless.
    await settleChange(queryClient, change, { isDetailStale: true });
    throw error;
  });
  const state = readDetailState();
  const isDetailStale =
    // A change before this one failed, and can still be made.
    state?.isInvalidated === true || state?.fetchStatus === 'fetching' || state?.dataUpdatedAt !== readAtMs;
  await settleChange(queryClient, change, { result: changeResult, isDetailStale });
  return changeResult;
}

type ChangeSettlement = {
  readonly result?: ChangeResponse;
  /**
   * Whether the subscription was read while the change was under way. The service may have read it before the change, or
   * after a later change by somebody else.
   */
  readonly isDetailStale: boolean;
};

async function settleChange(
  queryClient: QueryClient,
  change: ChangeToMake,
  { result, isDetailStale }: ChangeSettlement,
): Promise<void> {
  const { name, customerId, contractId } = change;
  const detailKey = keyOf(customerId, 'detail', contractId);
  const affectedFilters = AFFECTED_QUERIES_BY_CHANGE[name].map((kind) =>
    kind === 'list' ? keyOf(customerId, kind) : keyOf(customerId, kind, contractId),
  );
  // A response that is under way may be older than the change.
  await Promise.all(
    [detailKey, ...affectedFilters].map((queryKey) => queryClient.cancelQueries({ queryKey })),
  );
  if (result?.subscription)
    writeSubscription(queryClient, change, { ...result.subscription, errors: result.errors });
  const staleFilters =
    result?.subscription && !isDetailStale ? affectedFilters : [detailKey, ...affectedFilters];
  for (const queryKey of staleFilters) void queryClient.invalidateQueries({ queryKey, refetchType: 'none' });
  // The next change of the subscription would make a read outdated. This change itself is still pending.
  if (queryClient.isMutating(pendingChangesOf(customerId, contractId)) > 1) return;
  void queryClient.refetchQueries(
    { queryKey: [KEY_ROOT, customerId], type: 'active', predicate: ({ state }) => state.isInvalidated },
    // Reads of other subscriptions may be in progress.
    { cancelRefetch: false },
  );
}

/** Writes only over data that is there: after a sign-out nothing returns to the cache. */
function writeSubscription(
  queryClient: QueryClient,
  { name, customerId, contractId }: ChangeToMake,
  subscription: Answer<SubscriptionDetails>,
): void {
  queryClient.setQueryData<Answer<SubscriptionDetails>>(
    keyOf(customerId, 'detail', contractId),
    // The time zone is in a read alone.
    (old) => old && { ...old, ...subscription },
  );
  // A list that is not read again must not get older data.
  if (!AFFECTED_QUERIES_BY_CHANGE[name].includes('list')) return;
  const updateItem = <Item extends object>(key: readonly unknown[], update: (item: Item) => Item) =>
    queryClient.setQueryData<InfiniteData<Connection<Item>>>(
      key,
      (old) => old && withReplacedItems(old, update),
    );
  updateItem<Pick<SubscriptionDetails, 'id'>>(keyOf(customerId, 'list'), (item) =>
    item.id === contractId ? { ...item, ...subscription } : item,
  );
  const orders = subscription.billingCycles?.nodes ?? [];
  updateItem<(typeof orders)[number]>(keyOf(customerId, 'upcoming', contractId), (order) => ({
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
