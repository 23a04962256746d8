/** What a change does to the cache and to what is displayed, without a screen. */
import { describe, expect, test } from '@jest/globals';
import { MutationObserver, QueryClient, QueryObserver } from '@tanstack/react-query';
import { makeChange } from '../../../clients/react/src/cache-updates.ts';
import {
  type ChangeName,
  type PendingChange,
  withChanges,
  withRequestedRetry,
} from '../../../clients/react/src/optimistic.ts';
import { changeKeyOf } from '../../../clients/react/src/pending-changes.ts';
import { subscriptionQueries } from '../../../clients/react/src/queries.ts';
import { keyOf } from '../../../clients/react/src/query-keys.ts';
import type { CustomerClient, SubscriptionDetails } from '../../../clients/typescript/src/client.ts';

const ADA = 1;
const ID = 'gid://platform/SubscriptionContract/1';
const PAGE_INFO = { hasNextPage: false, endCursor: null };
const money = { amount: '9.00', currencyCode: 'USD' } as const;

const order = (cycleIndex: number, more: Partial<Order> = {}): Order => ({
  ...{ cycleIndex, cycleStartAt: '2026-12-01T00:00:00Z', cycleEndAt: `2026-12-0${cycleIndex}T09:00:00Z` },
  ...{ billingAttemptExpectedDate: `2026-12-0${cycleIndex}T09:00:00Z`, status: 'UNBILLED' },
  orderDate: `2026-12-0${cycleIndex}T09:00:00Z`,
  ...{ skipped: false, edited: false, isWithinPause: false, overdue: null },
  ...more,
});
/** It was skipped before the orders were postponed. */
const POSTPONED_SKIP = order(4, { skipped: true, orderDate: '2026-12-05T09:00:00Z' });
type Order = NonNullable<SubscriptionDetails['billingCycles']>['nodes'][number];

const line = (id: string, quantity: number): SubscriptionDetails['lines']['nodes'][number] => ({
  ...{ id, quantity, title: id, variantTitle: null, variantId: null, productId: null, sellingPlanId: null },
  ...{ sellingPlanName: null, variantImage: null, currentPrice: money, lineDiscountedPrice: money },
});

const SUBSCRIPTION: SubscriptionDetails = {
  ...{ id: ID, status: 'ACTIVE', createdAt: '', updatedAt: '', currencyCode: 'USD', lastPaymentStatus: null },
  ...{ portalUrl: null, deliveryMethod: null, currentPause: null, customerPaymentMethod: null },
  billingPolicy: { interval: 'WEEK', intervalCount: 1, minCycles: null, maxCycles: null, anchors: [] },
  deliveryPolicy: { interval: 'WEEK', intervalCount: 1 },
  deliveryPrice: money,
  nextOrder: { date: '2026-12-01T09:00:00Z', cycleIndex: 1, isSkippable: true, total: money },
  postponement: { laidUntil: '2026-12-05', revertableUntil: null },
  discounts: { nodes: [{ id: 'd1', title: null }] },
  lines: { nodes: [line('l1', 1), line('l2', 2)], pageInfo: PAGE_INFO },
  billingCycles: {
    nodes: [order(1), order(2, { skipped: true }), order(3), POSTPONED_SKIP],
    pageInfo: PAGE_INFO,
  },
};

const pending = (name: ChangeName, input?: unknown): PendingChange => ({
  ...{ name, input, contractId: ID, submittedAt: Date.UTC(2026, 11, 1) },
});
const viewAfter = (...changes: readonly PendingChange[]) => withChanges(SUBSCRIPTION, changes);

describe('a pending change', () => {
  test.each<[ChangeName, unknown, object]>([
    ['skip', { cycleIndex: 1 }, { nextOrder: { cycleIndex: 3, date: '2026-12-03T09:00:00Z' } }],
    ['skip', { cycleIndex: 1 }, { billingCycles: { nodes: [{ skipped: true }, {}, {}, {}] } }],
    ['unskip', { cycleIndex: 2 }, { billingCycles: { nodes: [{}, { skipped: false }, {}, {}] } }],
    [
      'unskip',
      { cycleIndex: 4 },
      { billingCycles: { nodes: [{}, {}, {}, { billingAttemptExpectedDate: '2026-12-05T09:00:00Z' }] } },
    ],
    [
      'reschedule',
      { cycleIndex: 1, billingDate: '2026-12-02' },
      { nextOrder: { date: '2026-12-02T12:00:00Z' } },
    ],
    ['postpone', { to: '2026-12-09' }, { nextOrder: { date: '2026-12-09T12:00:00Z' } }],
    ['revertPostponement', {}, { postponement: null }],
    ['pause', undefined, { status: 'PAUSED', currentPause: { pausedAt: '2026-12-01T00:00:00.000Z' } }],
    ['pause', { until: '2027-01-01' }, { currentPause: { resumesAt: '2027-01-01', reason: null } }],
    ['resume', undefined, { status: 'ACTIVE', currentPause: null }],
    ['cancel', undefined, { status: 'CANCELLED', nextOrder: null }],
    [
      'updateInterval',
      { interval: { interval: 'MONTH', intervalCount: 2 } },
      { billingPolicy: { interval: 'MONTH' } },
    ],
    ['updateLines', { update: [{ lineId: 'l1', quantity: 7 }] }, { lines: { nodes: [{ quantity: 7 }, {}] } }],
    ['updateLines', { remove: 'l1' }, { lines: { nodes: [{ id: 'l2' }] } }],
    ['removeDiscount', { discountId: 'd1' }, { discounts: { nodes: [] } }],
  ])('%s with %j is shown at once', (name, input, expected) => {
    expect(viewAfter(pending(name, input))).toMatchObject(expected);
  });

  test.each<[ChangeName, unknown]>([
    ['skip', { cycleIndex: 1 }],
    ['unskip', { cycleIndex: 2 }],
    ['reschedule', { cycleIndex: 1, billingDate: '2026-12-02' }],
    ['updateLines', { remove: ['l1'], update: [{ lineId: 'l2', quantity: 3 }] }],
    ['pause', {}],
  ])('%s shows the same after the service has made it', (name, input) => {
    const once = viewAfter(pending(name, input));
    expect(withChanges(once, [pending(name, input)])).toEqual(once);
  });

  test.each<ChangeName>([
    ...(['sendNow', 'updateDelivery', 'updatePaymentMethod', 'applyDiscountCode', 'retryPayment'] as const),
  ])('%s shows nothing that only the service knows', (name) =>
    expect(viewAfter(pending(name))).toEqual(SUBSCRIPTION),
  );

  test('shows a payment whose customer asked for another try as being tried now, once', () => {
    const payment = { status: 'RETRYING', nextTryAt: '2026-12-09T10:00:00Z', canRetry: true };
    const tried = { status: 'RETRYING', nextTryAt: '2026-12-01T00:00:00.000Z', canRetry: false };
    const retry = [pending('retryPayment')];
    expect(withRequestedRetry(payment, [pending('skip', { cycleIndex: 1 })])).toEqual(payment);
    expect(withRequestedRetry(payment, retry)).toEqual(tried);
    expect(withRequestedRetry(tried, retry)).toEqual(tried);
    expect(withRequestedRetry(null, retry)).toBeNull();
  });

  test('does not make an overdue order the next one', () => {
    const nextOrder = { ...SUBSCRIPTION.nextOrder, date: '2026-12-03T09:00:00Z', cycleIndex: 3 };
    const changes = [pending('skip', { cycleIndex: 3 }), pending('unskip', { cycleIndex: 3 })];
    expect(withChanges({ ...SUBSCRIPTION, nextOrder } as SubscriptionDetails, changes)).toMatchObject({
      nextOrder,
    });
  });

  test('is shown after those before it', () => {
    const changes = [
      pending('skip', { cycleIndex: 1 }),
      pending('unskip', { cycleIndex: 1 }),
      pending('pause'),
    ];
    expect(viewAfter(...changes)).toMatchObject({ status: 'PAUSED', nextOrder: { cycleIndex: 1 } });
  });
});

/** A cache in which everything of two contracts was read, for a customer who looks at all of it. */
function createCache() {
  const queryClient = new QueryClient();
  const read = (value: object) => async () => ({ nodes: [], pageInfo: PAGE_INFO, errors: [], ...value });
  const page = (...nodes: readonly object[]) => ({
    pages: [{ nodes, pageInfo: PAGE_INFO }],
    pageParams: [null],
  });
  const { detail, ...lists } = subscriptionQueries(
    { subscriptions: { list: read({}), get: read(SUBSCRIPTION) } } as unknown as CustomerClient,
    ADA,
  );
  for (const id of [ID, 'other']) {
    queryClient.setQueryData(detail(id).queryKey, { ...SUBSCRIPTION, id, storeTimeZone: 'Europe/Berlin' });
    queryClient.setQueryData(lists.upcoming(id).queryKey, page(order(1), order(9)));
    queryClient.setQueryData(lists.events(id).queryKey, page());
    queryClient.setQueryData(lists.lineOptions(id).queryKey, page());
    queryClient.setQueryData(lists.lineOptions(id, 'l1').queryKey, page());
  }
  queryClient.setQueryData(
    lists.list().queryKey,
    page({ ...SUBSCRIPTION }, { ...SUBSCRIPTION, id: 'other' }),
  );
  queryClient.setQueryData(['other data'], 1);
  const stale = () =>
    queryClient
      .getQueryCache()
      .findAll({ predicate: ({ state }) => state.isInvalidated })
      .map(({ queryKey }) => queryKey.slice(2).join(' ').replaceAll(ID, 'it').trim());
  return { queryClient, stale, detail, lists };
}

const SKIPPED: SubscriptionDetails = {
  ...SUBSCRIPTION,
  billingCycles: { nodes: [order(1, { skipped: true })], pageInfo: PAGE_INFO },
};
const SKIP = { name: 'skip', customerId: ADA, contractId: ID } as const;
const ORDERS = ['events it', 'list', 'upcoming it'];
const GOODS = ['events it', 'lineOptions it', 'lineOptions it l1', 'list', 'upcoming it'];

describe('a change that was made', () => {
  test.each<[ChangeName, readonly string[]]>([
    ...(['skip', 'unskip', 'reschedule', 'sendNow', 'postpone', 'revertPostponement'] as const).map(
      (name): [ChangeName, readonly string[]] => [name, ORDERS],
    ),
    ...(['pause', 'resume', 'cancel', 'updateDelivery', 'applyDiscountCode', 'removeDiscount'] as const).map(
      (name): [ChangeName, readonly string[]] => [name, ORDERS],
    ),
    ['updateInterval', GOODS],
    ['updateLines', GOODS],
    ['updatePaymentMethod', ['events it']],
  ])('%s makes exactly the queries stale that it affects', async (name, expected) => {
    const { queryClient, stale } = createCache();
    const result = { subscription: SKIPPED, errors: [] };
    await makeChange(queryClient, { name, customerId: ADA, contractId: ID }, async () => result);
    expect(stale().sort()).toEqual(expected);
  });

  test('is in the cache of the subscription, of the list and of the orders', async () => {
    const { queryClient, detail, lists } = createCache();
    const result = { subscription: { ...SKIPPED, status: 'PAUSED' as const }, errors: [] };
    await makeChange(queryClient, SKIP, async () => result);
    expect(queryClient.getQueryData(detail(ID).queryKey)).toEqual({
      ...{ ...result.subscription, errors: [], storeTimeZone: 'Europe/Berlin' },
    });
    expect(queryClient.getQueryData(detail('other').queryKey)).toMatchObject({ status: 'ACTIVE' });
    const statuses = [{ status: 'PAUSED' }, { status: 'ACTIVE' }];
    expect(queryClient.getQueryData(lists.list().queryKey)).toMatchObject({ pages: [{ nodes: statuses }] });
    const orders = [
      { cycleIndex: 1, skipped: true },
      { cycleIndex: 9, skipped: false },
    ];
    expect(queryClient.getQueryData(lists.upcoming(ID).queryKey)).toMatchObject({
      pages: [{ nodes: orders }],
    });
  });

  test('writes nothing to a cache that was deleted meanwhile', async () => {
    const { queryClient } = createCache();
    queryClient.clear();
    const result = { subscription: SKIPPED, errors: [] };
    await makeChange(queryClient, SKIP, async () => result);
    expect(queryClient.getQueryCache().getAll()).toEqual([]);
  });

  test('reads the subscription again when a read was under way, which may be older', async () => {
    const queryClient = new QueryClient();
    const answers: ((value: SubscriptionDetails) => void)[] = [];
    const observer = new QueryObserver<SubscriptionDetails>(queryClient, {
      queryKey: keyOf(ADA, 'detail', ID),
      queryFn: () => new Promise<SubscriptionDetails>((resolve) => void answers.push(resolve)),
    });
    observer.subscribe(() => undefined);
    const result = { subscription: SKIPPED, errors: [] };
    await makeChange(queryClient, SKIP, async () => result);
    answers[0]?.(SUBSCRIPTION);
    expect(answers).toHaveLength(2);
    const refetch = observer.refetch({ cancelRefetch: false });
    answers[1]?.(SKIPPED);
    expect((await refetch).data).toEqual(SKIPPED);
    observer.destroy();
  });
});

describe('a change whose response arrives after a later read', () => {
  test('makes the subscription stale, because the read may be newer', async () => {
    const { queryClient, stale, detail } = createCache();
    const result = { subscription: SKIPPED, errors: [] };
    await makeChange(queryClient, SKIP, async () => {
      queryClient.setQueryData(detail(ID).queryKey, SUBSCRIPTION, { updatedAt: Date.now() + 1 });
      return result;
    });
    expect(stale().sort()).toEqual(['detail it', ...ORDERS]);
  });

  test('is not written to the list if it does not affect the list', async () => {
    const { queryClient, lists } = createCache();
    const result = { subscription: { ...SUBSCRIPTION, status: 'PAUSED' as const }, errors: [] };
    const change = { ...SKIP, name: 'updatePaymentMethod' } as const;
    await makeChange(queryClient, change, async () => result);
    const statuses = [{ status: 'ACTIVE' }, { status: 'ACTIVE' }];
    expect(queryClient.getQueryData(lists.list().queryKey)).toMatchObject({ pages: [{ nodes: statuses }] });
  });
});

test('an error makes the subscription stale as well, because the change may have been made', async () => {
  const { queryClient, stale, detail } = createCache();
  const error = new Error('The response was lost.');
  await expect(makeChange(queryClient, SKIP, () => Promise.reject(error))).rejects.toBe(error);
  expect(stale().sort()).toEqual(['detail it', ...ORDERS]);
  expect(queryClient.getQueryData(detail(ID).queryKey)).toMatchObject(SUBSCRIPTION);
});

test('three fast taps send three changes, and read the orders once, after the last one', async () => {
  const queryClient = new QueryClient();
  const requests: string[] = [];
  const observers = (['list', 'upcoming', 'events'] as const).map((kind) => {
    const queryKey = kind === 'list' ? keyOf(ADA, kind) : keyOf(ADA, kind, ID);
    const queryFn = async () => requests.push(kind);
    return new QueryObserver(queryClient, { queryKey, queryFn, initialData: 0, staleTime: 60_000 });
  });
  const ends = observers.map((observer) => observer.subscribe(() => undefined));
  const tap = async (isLost: boolean) => {
    const observer = new MutationObserver(queryClient, {
      mutationKey: changeKeyOf(ADA, ID, 'skip'),
      scope: { id: ID },
      mutationFn: () =>
        makeChange(queryClient, SKIP, async () => {
          requests.push('skip');
          if (isLost) throw new Error('The response was lost.');
          return { subscription: SKIPPED, errors: [] };
        }),
    });
    await observer.mutate().catch(() => undefined);
  };
  await Promise.all([tap(false), tap(true), tap(false)]);
  expect(requests).toEqual(['skip', 'skip', 'skip', 'list', 'upcoming', 'events']);
  for (const end of ends) end();
});
