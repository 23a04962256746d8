/** Tests what functions return beside their document: orders with their content, full pages, the next dates. */
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import {
  createMerchantClient,
  daysOfMove,
  daysOfPostponement,
  lastPayment,
  nextDates,
  toAddressInput,
  visibleOrders,
} from '../../../clients/typescript/src/client.ts';
import { json } from './world/ask-against.ts';

const contractId = 'gid://platform/SubscriptionContract/1';

type Sent = { readonly variables: { readonly first?: number; readonly after?: string } };

/** A client for one customer whose service returns a value for each request, by its variables. */
function customerOf(answer: (variables: Sent['variables']) => object) {
  const sent: Sent['variables'][] = [];
  const fetch = async (_url: string, { body }: { readonly body: string }) => {
    const { variables } = JSON.parse(body) as Sent;
    sent.push(variables);
    return json(200, { data: answer(variables) })();
  };
  const { forCustomer } = createMerchantClient({
    ...{ serviceUrl: 'https://service.example', adminKey: 'SVC_AK_1', environment: { fetch } },
  });
  return { ...forCustomer('gid://platform/Customer/1'), sent };
}

describe('the last payment', () => {
  const type = (name: string) => ({ __typename: `SubscriptionBillingAttempt${name}` });
  const attempt = { createdAt: '2026-11-01T00:00:00Z', completedAt: null };
  const paymentOf = (...nodes: readonly object[]) =>
    lastPayment(
      customerOf(() => ({ subscriptionContract: { billingAttempts: { nodes } } })),
      { contractId },
    );

  test.each([
    [
      'the customer’s bank',
      { ...type('ActionRequiredState'), action: { nextActionUrl: 'https://bank.example' } },
      'ACTION_REQUIRED',
      'https://bank.example',
      null,
    ],
    ['its end', type('PendingState'), 'PENDING', null, null],
    ['nothing', type('SuccessState'), 'PAID', null, null],
    [
      'goods',
      { ...type('FailedState'), error: { inventoryCode: 'INSUFFICIENT_INVENTORY' } },
      'DECLINED',
      null,
      'INSUFFICIENT_INVENTORY',
    ],
    [
      'an unknown reason',
      { ...type('FailedState'), error: type('UnexpectedError') },
      'DECLINED',
      null,
      'UNEXPECTED_ERROR',
    ],
  ])('shows what a payment waits for: %s', async (_name, state, outcome, nextActionUrl, errorCode) => {
    expect(await paymentOf({ ...attempt, state })).toEqual({
      ...attempt,
      outcome,
      nextActionUrl,
      errorCode,
      errors: [],
    });
  });

  test('is NONE before the first attempt, and an error if the subscription cannot be read', async () => {
    expect(await paymentOf()).toMatchObject({ outcome: 'NONE', createdAt: null, errorCode: null });
    const absent = lastPayment(
      customerOf(() => ({ subscriptionContract: null })),
      { contractId },
    );
    await expect(absent).rejects.toMatchObject({ code: 'ABSENT' });
  });
});

test('an address that was read becomes an argument with the fields of an address alone', () => {
  const fields = {
    ...{ firstName: 'Ada', lastName: 'Brewer', company: null, phone: null, address1: '8 Wharf Street' },
    ...{ address2: null, city: 'Portland', zip: '04101', provinceCode: 'ME' },
  };
  const read = { ...fields, id: '1', formatted: ['8 Wharf Street'], countryCodeV2: 'US' as const };
  expect(toAddressInput(read)).toEqual({ ...fields, countryCode: 'US' });
});

describe('past orders', () => {
  /** A service with orders 1 to 30, which leaves out some of them. A cursor is the number of the last order. */
  function customerWithHidden(isHidden: (order: number) => boolean) {
    return customerOf(({ first = 10, after = '0' }) => {
      const numbers = Array.from({ length: 30 }, (_, index) => index + 1);
      const page = numbers.filter((number) => number > Number(after)).slice(0, first);
      const last = page.at(-1) ?? Number(after);
      const nodes = page.filter((number) => !isHidden(number)).map((number) => ({ id: `${number}` }));
      const pageInfo = { hasNextPage: last < 30, endCursor: `${last}` };
      return { subscriptionContract: { orders: { nodes, pageInfo } } };
    });
  }
  const idsOf = ({ nodes }: { readonly nodes: readonly { readonly id: string }[] }) =>
    nodes.map(({ id }) => id);
  const idsBetween = (from: number, to: number, isHidden: (order: number) => boolean) =>
    Array.from({ length: to - from + 1 }, (_, index) => from + index)
      .filter((number) => !isHidden(number))
      .map(String);

  test.each<[string, (order: number) => boolean]>([
    ['some orders of a page', (order) => order % 3 === 0],
    ['a whole page', (order) => order <= 12],
    ['all but the last order', (order) => order < 30],
  ])('fill each page but the last when the service leaves out %s', async (_name, isHidden) => {
    const { subscriptions } = customerWithHidden(isHidden);
    const pages: string[][] = [];
    for await (const page of subscriptions.pastOrders.pages({ contractId, first: 4 }))
      pages.push(idsOf(page));
    expect(pages.flat()).toEqual(idsBetween(1, 30, isHidden));
    expect(pages.slice(0, -1).every(({ length }) => length === 4)).toBe(true);
  });

  test('have the cursor of the last order of a filled page', async () => {
    const isHidden = (order: number) => order <= 3;
    const { subscriptions, sent } = customerWithHidden(isHidden);
    const first = await subscriptions.pastOrders({ contractId });
    expect([idsOf(first), first.pageInfo.endCursor]).toEqual([idsBetween(1, 13, isHidden), '13']);
    expect(sent).toMatchObject([{}, { first: 3, after: '10' }]);
    const next = await subscriptions.pastOrders({ contractId, first: 2, after: first.pageInfo.endCursor });
    expect(idsOf(next)).toEqual(['14', '15']);
  });

  test('end when the service returns the same cursor again', async () => {
    const pageInfo = { hasNextPage: true, endCursor: 'same' };
    const { subscriptions, sent } = customerOf(() => ({
      subscriptionContract: { orders: { nodes: [], pageInfo } },
    }));
    expect((await subscriptions.pastOrders({ contractId })).nodes).toEqual([]);
    expect(sent).toHaveLength(2);
  });
});

describe('upcoming orders', () => {
  const pageInfo = { hasNextPage: false, endCursor: null };
  const line = (id: string, variantId: string | null = null) => ({ id, variantId });
  const own = { lines: { nodes: [line('a', 'v1'), line('b')], pageInfo }, deliveryPrice: { amount: '5' } };
  const details = (editedContract: object | null, more: object = {}) => ({
    subscriptionContractDetails: {
      ...{ ...own, deliveryMethod: null, ...more },
      billingCycles: { nodes: [{ cycleIndex: 7, edited: true, editedContract }], pageInfo },
    },
  });
  const read = async (editedContract: object | null, more: object = {}) => {
    const { subscriptions } = customerOf(() => details(editedContract, more));
    return (await subscriptions.upcoming({ contractId })).nodes[0];
  };
  const edited = {
    ...{ deliveryMethod: null, deliveryPrice: { amount: '0' } },
    lines: {
      nodes: [
        { ...line('other id', 'v1'), concatenatedOriginContract: null },
        { ...line('gift'), concatenatedOriginContract: null },
        {
          ...line('joined', 'v1'),
          concatenatedOriginContract: { id: 'gid://platform/SubscriptionContract/2' },
        },
      ],
      pageInfo,
    },
  };

  test('have the content of the subscription', async () => {
    expect(await read(null)).toEqual({
      ...{ cycleIndex: 7, edited: true, isContentEdited: false, deliveryMethod: null },
      deliveryPrice: { amount: '5' },
      lines: { pageInfo, nodes: own.lines.nodes.map((one) => ({ ...one, kind: 'SUBSCRIPTION' })) },
    });
  });

  test('have their own content, and say where each line comes from', async () => {
    expect(await read(edited)).toEqual({
      ...{ cycleIndex: 7, edited: true, isContentEdited: true, deliveryMethod: null },
      deliveryPrice: { amount: '0' },
      lines: {
        pageInfo,
        nodes: [
          { ...line('other id', 'v1'), kind: 'SUBSCRIPTION' },
          { ...line('gift'), kind: 'ONE_TIME' },
          { ...line('joined', 'v1'), kind: 'OTHER_SUBSCRIPTION' },
        ],
      },
    });
  });

  test('call no line one-time when the subscription has more lines than were read', async () => {
    const lines = { ...own.lines, pageInfo: { hasNextPage: true, endCursor: 'b' } };
    const kinds = (await read(edited, { lines }))?.lines.nodes.map(({ kind }) => kind);
    expect(kinds).toEqual(['SUBSCRIPTION', 'SUBSCRIPTION', 'OTHER_SUBSCRIPTION']);
  });
});

describe('the next dates', () => {
  type Given = Parameters<typeof nextDates>[0];
  const cycle = (day: number, more: object = {}) => ({
    ...{ status: 'UNBILLED', skipped: false, isWithinPause: false },
    billingAttemptExpectedDate: `2026-12-0${day}T10:00:00Z`,
    orderDate: `2026-12-0${day}T10:00:00Z`,
    ...more,
  });
  const nodes = [
    ...[
      cycle(1, { status: 'BILLED' }),
      cycle(2),
      cycle(3, { skipped: true }),
      cycle(4, { isWithinPause: true }),
    ],
    ...[cycle(5), cycle(6), cycle(7)],
  ];
  const daysOf = (status: string, count?: number) =>
    nextDates({ status, billingCycles: { nodes } } as unknown as Given, count).map((date) =>
      date.slice(8, 10),
    );

  test('are those of orders that will come', () => {
    expect([daysOf('ACTIVE'), daysOf('PAUSED', 1), daysOf('ACTIVE', 9)]).toEqual([
      ['02', '05', '06'],
      ['02'],
      ['02', '05', '06', '07'],
    ]);
  });

  test('are displayed with skipped orders, and without the one that was postponed to a later cycle', () => {
    type Order = Parameters<typeof visibleOrders>[1][number];
    const orders = [...nodes, cycle(8, { skipped: true, orderDate: null })] as unknown as readonly Order[];
    const days = (schedule: object) =>
      visibleOrders(schedule as Given, orders).map(({ billingAttemptExpectedDate: date }) =>
        date.slice(8, 10),
      );
    const planned = ['02', '03', '05', '06', '07'];
    expect(days({ status: 'ACTIVE', currentPause: null })).toEqual(planned);
    expect(days({ status: 'PAUSED', currentPause: { resumesAt: '2026-12-05' } })).toEqual(planned);
    expect(days({ status: 'PAUSED', currentPause: { resumesAt: null } })).toEqual([]);
    expect(days({ status: 'EXPIRED' })).toEqual([]);
    // The first order is overdue: it is before the next one.
    const nextOrder = { date: '2026-12-05T10:00:00Z' };
    expect(days({ status: 'ACTIVE', nextOrder })).toEqual(['03', '05', '06', '07']);
  });

  test('are displayed with an earlier order that is not paid yet, which is none of the next dates', () => {
    const overdue = cycle(2, { overdue: { nextRunAt: null } });
    const subscription = { status: 'ACTIVE', nextOrder: { date: '2026-12-05T10:00:00Z' } };
    const orders = [overdue, cycle(5)];
    expect(visibleOrders(subscription as Given, orders as never)).toEqual(orders);
    const dates = nextDates({ ...subscription, billingCycles: { nodes: orders } } as unknown as Given);
    expect(dates).toEqual(['2026-12-05T10:00:00Z']);
  });

  test('are none when the subscription has ended, or its orders could not be read', () => {
    expect(daysOf('CANCELLED')).toEqual([]);
    expect(nextDates({ status: 'ACTIVE', billingCycles: null } as unknown as Given)).toEqual([]);
  });
});

describe('the days of a date field', () => {
  const ZONE = 'America/New_York';
  const at = (now: string) => jest.useFakeTimers({ now: Date.parse(now) });
  const cycle = { cycleStartAt: '2026-03-07T17:00:00Z', cycleEndAt: '2026-03-15T03:30:00Z' };
  afterEach(() => {
    jest.useRealTimers();
  });

  test('start on the day after the previous order, also on a day of 23 hours, and end with the cycle in the store’s time zone', () => {
    at('2026-03-01T12:00:00Z');
    expect(daysOfMove(cycle, ZONE)).toEqual({ min: '2026-03-08', max: '2026-03-14' });
    const late = { ...cycle, cycleStartAt: '2026-03-08T04:59:00Z' };
    expect(daysOfMove(late, ZONE).min).toBe('2026-03-08');
    expect(daysOfMove({ ...cycle, cycleStartAt: '2026-03-08T05:00:00Z' }, ZONE).min).toBe('2026-03-09');
  });

  test('start tomorrow within a cycle, and none is left on its last day', () => {
    at('2026-03-11T02:00:00Z');
    expect(daysOfMove(cycle, ZONE).min).toBe('2026-03-11');
    at('2026-03-15T03:00:00Z');
    const { min, max } = daysOfMove(cycle, ZONE);
    expect(min > max).toBe(true);
  });

  test('are those after the order, up to the day of the following order, for a postponement', () => {
    at('2026-03-01T12:00:00Z');
    const order = { billingAttemptExpectedDate: '2026-03-08T03:00:00Z', cycleEndAt: '2026-03-08T03:00:00Z' };
    for (const skipped of [false, true])
      expect(daysOfPostponement(order, { orderDate: '2026-03-15T02:00:00Z', skipped }, ZONE)).toEqual({
        ...{ min: '2026-03-08', max: '2026-03-14' },
      });
    expect(daysOfPostponement(order, undefined, ZONE)).toEqual({ min: '2026-03-08' });
    at('2026-04-01T12:00:00Z');
    expect(daysOfPostponement(order, undefined, ZONE)).toEqual({ min: '2026-04-02' });
  });

  test('end with the cycle for an order that was sent now in place of the following one', () => {
    at('2026-03-01T12:00:00Z');
    const order = { billingAttemptExpectedDate: '2026-03-01T12:05:00Z', cycleEndAt: '2026-03-08T03:00:00Z' };
    for (const orderDate of [null, '2026-03-15T02:00:00Z'])
      expect(daysOfPostponement(order, { orderDate, skipped: true }, ZONE)).toEqual({
        ...{ min: '2026-03-02', max: '2026-03-07' },
      });
  });
});
