/** Writes the result of a change to the cache, and marks as stale what the result does not contain. */
import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { Answer, Connection, SubscriptionDetails } from 'subscription-management-client';
import type { ChangeName } from './optimistic.ts';
import { type CustomerId, keyOf, type QueryKind } from './queries.ts';

const ORDERS = ['list', 'upcoming', 'events'] as const;
/** With other lines or another plan, other products can be chosen. */
const GOODS = [...ORDERS, 'lineOptions'] as const;

/** The queries that a change affects. `detail` is in none: the change returns the subscription. */
const AFFECTED: Readonly<Record<ChangeName, readonly QueryKind[]>> = {
  skip: ORDERS,
  unskip: ORDERS,
  reschedule: ORDERS,
  sendNow: ORDERS,
  postpone: ORDERS,
  revertPostponement: ORDERS,
  pause: ORDERS,
  resume: ORDERS,
  cancel: ORDERS,
  updateInterval: GOODS,
  updateLines: GOODS,
  updateDelivery: ORDERS,
  // Neither a list nor an order has the payment method.
  updatePaymentMethod: ['events'],
  applyDiscountCode: ORDERS,
  removeDiscount: ORDERS,
};

type Change = {
  readonly name: ChangeName;
  readonly customerId: CustomerId;
  readonly contractId: string;
  /** Absent after an error: the change may have been made nevertheless. */
  readonly result?: Answer<{ readonly subscription: SubscriptionDetails | null }>;
};

export async function settleChange(queryClient: QueryClient, change: Change): Promise<void> {
  const { name, customerId, contractId, result } = change;
  const detail = keyOf(customerId, 'detail', contractId);
  const affected = AFFECTED[name].map((kind) =>
    kind === 'list' ? keyOf(customerId, kind) : keyOf(customerId, kind, contractId),
  );
  const isRead = queryClient.isFetching({ queryKey: detail }) > 0;
  // A response that is under way may be older than the change.
  await Promise.all([detail, ...affected].map((queryKey) => queryClient.cancelQueries({ queryKey })));
  if (result?.subscription)
    writeSubscription(queryClient, change, { ...result.subscription, errors: result.errors });
  const stale = result?.subscription && !isRead ? affected : [detail, ...affected];
  for (const queryKey of stale) void queryClient.invalidateQueries({ queryKey });
}

/** Writes only over data that is there: after a sign-out nothing returns to the cache. */
function writeSubscription(
  queryClient: QueryClient,
  { customerId, contractId }: Change,
  subscription: Answer<SubscriptionDetails>,
): void {
  queryClient.setQueryData<Answer<SubscriptionDetails>>(
    keyOf(customerId, 'detail', contractId),
    // The time zone is in a read alone.
    (old) => old && { ...old, ...subscription },
  );
  const write = <Item extends object>(key: readonly unknown[], update: (item: Item) => Item) =>
    queryClient.setQueryData<InfiniteData<Connection<Item>>>(key, (old) => old && withItems(old, update));
  write<Pick<SubscriptionDetails, 'id'>>(keyOf(customerId, 'list'), (item) =>
    item.id === contractId ? { ...item, ...subscription } : item,
  );
  const orders = subscription.billingCycles?.nodes ?? [];
  write<(typeof orders)[number]>(keyOf(customerId, 'upcoming', contractId), (order) => ({
    ...order,
    ...orders.find(({ cycleIndex }) => cycleIndex === order.cycleIndex),
  }));
}

function withItems<Item>(
  data: InfiniteData<Connection<Item>>,
  update: (item: Item) => Item,
): InfiniteData<Connection<Item>> {
  return { ...data, pages: data.pages.map((page) => ({ ...page, nodes: page.nodes.map(update) })) };
}
