/** The effect of resuming with a date on the orders around the date, as its payload reports it. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { listCyclesBetween } from '../../../../sandbox/platform/state/billing-cycles.ts';
import { DAY_MS, formatIsoInstant, HOUR_MS } from '../../../../sandbox/platform/state/instant.ts';
import { NOW_MS, type PlanRequest } from '../../../graphql/world/harness.ts';
import { createMemoryTable } from '../../../memory-table.ts';
import { createIntervalWorld, current, cyclesOf, MONTHLY } from '../../../world/interval-world.ts';
import { WEEKLY } from '../../../world/store-world.ts';

const activation = (directive = '') => `mutation ($contractId: ID!, $date: DateTime) {
  subscriptionContractActivate(subscriptionContractId: $contractId, nextBillingDate: $date) ${directive} {
    skippedOrders { cycleIndex date skipped }
    upcomingOrders { cycleIndex date skipped }
    userErrors { code }
  }
}`;

let world: ReturnType<typeof createIntervalWorld>;
const begin = (contract: number) => {
  world = createIntervalWorld({ table: createMemoryTable(), contract });
};
beforeEach(() => begin(MONTHLY));

const activate = (date?: string, as?: PlanRequest['as']) => world.ask(activation(), { date }, as);

/** The orders of the platform, as the payload names them. */
function ordersOf(count: number) {
  return cyclesOf(world.contract, count).map(({ index, expectedMs, skipped }) => ({
    cycleIndex: index,
    date: formatIsoInstant(expectedMs),
    skipped,
  }));
}

/** A week after the order that is due next. */
const aWeekAfterNext = () => formatIsoInstant((cyclesOf(world.contract, 1)[0]?.expectedMs ?? 0) + 7 * DAY_MS);

test('tells a retry with the same idempotency key what the first request skipped', async () => {
  const keyed = activation('@idempotent(key: "k")');
  const date = aWeekAfterNext();
  const first = await world.ask(keyed, { date });
  const second = await world.ask(keyed, { date });
  expect(first.payload.skippedOrders).toHaveLength(1);
  expect(second.payload).toEqual(first.payload);
  expect(second.sent).toEqual([]);
});

describe.each<PlanRequest['as']>(['customer', 'store'])('subscriptionContractActivate by a %s', (as) => {
  test('names the order that an active monthly subscription loses to a date a week later, and the next three', async () => {
    const [next, following, third, fourth] = ordersOf(4);
    const date = aWeekAfterNext();
    const { payload, sent } = await activate(date, as);
    expect(payload).toEqual({
      skippedOrders: [{ ...next, skipped: true }],
      upcomingOrders: [{ ...following, date }, third, fourth],
      userErrors: [],
    });
    // The seven weeks after the date are not charged.
    expect(ordersOf(4)).toEqual([{ ...next, skipped: true }, ...payload.upcomingOrders]);
    expect(sent).toHaveLength(5);
  });

  test('names no lost order when the same date is asked for again', async () => {
    const date = aWeekAfterNext();
    const first = (await activate(date, as)).payload;
    const { payload } = await activate(date, as);
    expect(payload).toEqual({ ...first, skippedOrders: [] });
  });

  test('names the next three orders of a paused subscription that is resumed without a date', async () => {
    world.contract.content.status = 'PAUSED';
    const { payload, sent } = await activate(undefined, as);
    expect(payload).toEqual({ skippedOrders: [], upcomingOrders: ordersOf(3), userErrors: [] });
    expect(sent).toHaveLength(2);
    // An active one is answered with them, too.
    expect((await activate(undefined, as)).payload).toEqual(payload);
  });
});

describe('an order that came due and was not charged', () => {
  /** The order before the current one, as the platform has it. */
  const overdue = () => listCyclesBetween(world.contract, lateIndex, lateIndex)[0];
  let lateIndex: number;
  const late = (contract = WEEKLY) => {
    begin(contract);
    lateIndex = current(world.contract).index - 1;
    const { billedCycles } = world.contract;
    billedCycles.splice(0, Infinity, ...billedCycles.filter((index) => index !== lateIndex));
    expect(overdue()).toMatchObject({ billed: false, skipped: false });
  };
  const attempt = (completedAt: string | null) => {
    const [made] = world.shop().attempts.values();
    if (made === undefined) throw new Error('no attempt is seeded');
    const { id: contractId } = world.contract;
    const failed = { ...made, id: 1, contractId, cycleIndex: lateIndex, orderId: null, completedAt };
    world
      .shop()
      .attempts.set(1, { ...failed, errorCode: 'CARD_DECLINED', isChallenged: completedAt === null });
  };
  const EARLIER = formatIsoInstant(NOW_MS - HOUR_MS);

  test.each(['ACTIVE', 'PAUSED', 'FAILED'] as const)(
    'is skipped before the date of a subscription that was %s, and named',
    async (status) => {
      late();
      world.contract.content.status = status;
      const date = formatIsoInstant((cyclesOf(world.contract, 1)[0]?.expectedMs ?? 0) - HOUR_MS);
      const lost = {
        cycleIndex: lateIndex,
        date: formatIsoInstant(overdue()?.expectedMs ?? 0),
        skipped: true,
      };
      const { payload } = await activate(date);
      expect([payload.userErrors, payload.skippedOrders]).toEqual([[], [lost]]);
      expect(payload.upcomingOrders[0].date).toBe(date);
      expect(overdue()).toMatchObject({ skipped: true });
      expect((await activate(date)).payload).toEqual({ ...payload, skippedOrders: [] });
    },
  );

  test('is skipped also when its card was declined', async () => {
    late();
    attempt(EARLIER);
    await activate(aWeekAfterNext());
    expect(overdue()).toMatchObject({ skipped: true });
  });

  test('stays while a payment of it is open, and the date is set', async () => {
    late();
    attempt(null);
    const { payload } = await activate(aWeekAfterNext());
    expect([payload.userErrors, payload.skippedOrders.length]).toEqual([[], 1]);
    expect(overdue()).toMatchObject({ skipped: false });
  });

  test('is skipped by the scheduled work when the request breaks off', async () => {
    late();
    world.fail({ kind: 'lost before', at: 'subscriptionBillingCycleScheduleEdit', times: 9 });
    world.fail({ kind: 'lost before', at: '_svcUpToDate', times: 9 });
    await activate(aWeekAfterNext());
    world.clearFaults();
    await world.settle();
    expect(overdue()).toMatchObject({ skipped: true });
    expect(await world.timeline()).toEqual(['subscription_next_billing_date_updated DONE']);
  });
});

test('takes a date without an offset as UTC, also where it stands in the document', async () => {
  const date = aWeekAfterNext();
  const query = activation().replace('nextBillingDate: $date', `nextBillingDate: "${date.slice(0, -1)}"`);
  const { payload } = await world.ask(query.replace(', $date: DateTime', ''), {});
  expect(payload.upcomingOrders[0].date).toBe(date);
});

test('names every order that a later date skips, but none that was skipped before', async () => {
  begin(WEEKLY);
  world.edit(1, { skipped: true });
  const before = ordersOf(5);
  const date = formatIsoInstant((cyclesOf(world.contract, 4)[3]?.expectedMs ?? 0) - DAY_MS);
  const { payload } = await activate(date);
  const lost = before.slice(0, 3).filter(({ skipped }) => !skipped);
  expect(payload.skippedOrders).toEqual(lost.map((order) => ({ ...order, skipped: true })));
  expect(payload.upcomingOrders.slice(0, 2)).toEqual([{ ...before[3], date }, before[4]]);
});

test('shows skipped orders between the next three, and none before or after them', async () => {
  begin(WEEKLY);
  for (const offset of [0, 2, 5]) world.edit(offset, { skipped: true });
  const { payload } = await activate();
  expect(payload.upcomingOrders).toEqual(ordersOf(5).slice(1));
});

const every = (interval: 'DAY' | 'YEAR') =>
  world.change({ interval: { interval, intervalCount: 1 } }, 'store');

test('shows the orders of a date behind many daily ones', async () => {
  await every('DAY');
  const date = formatIsoInstant(NOW_MS + 59 * DAY_MS);
  const { payload } = await activate(date);
  expect(payload.userErrors).toEqual([]);
  expect(payload.skippedOrders.length).toBeGreaterThan(40);
  expect(payload.upcomingOrders).toHaveLength(3);
  expect(payload.upcomingOrders[0].date).toBe(date);
});

test('shows fewer than three orders when the platform has no more of them for a year', async () => {
  await every('YEAR');
  const { payload } = await activate();
  expect(payload.upcomingOrders).toEqual(ordersOf(2));
});

test('names no orders when nothing was changed', async () => {
  world.contract.content.status = 'CANCELLED';
  const { payload } = await activate(aWeekAfterNext());
  expect(payload).toEqual({
    skippedOrders: [],
    upcomingOrders: [],
    userErrors: [{ code: 'CONTRACT_TERMINATED' }],
  });
});

test('lists the next orders after twelve skipped ones', async () => {
  begin(WEEKLY);
  const [first] = ordersOf(1);
  for (let index = 0; index < 12; index += 1)
    world.contract.cycleEdits[(first?.cycleIndex ?? 0) + index] = {
      skipped: true,
      billingDate: null,
      contract: null,
    };
  const next = ordersOf(15).slice(12);
  expect((await activate()).payload.upcomingOrders).toEqual(next);
  const date = next[0]?.date;
  expect((await activate(date)).payload.upcomingOrders).toEqual(next);
});
