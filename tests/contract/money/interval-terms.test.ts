/**
 * The terms that a new interval does not change, and those that follow from it: limits of cycles, anchors, prepaid
 * intervals, prices.
 */
import { describe, expect, test } from '@jest/globals';
import { RESCHEDULING_KINDS } from '../../../sandbox/platform/state/billing-cycles.ts';
import type { LineRecord } from '../../../sandbox/platform/state/contract-records.ts';
import { DAY_MS, formatIsoInstant } from '../../../sandbox/platform/state/instant.ts';
import { addSellingPlanGroup } from '../../../sandbox/platform/state/seed/seed-plans.ts';
import { UNPUBLISHED_BEHAVIOURS } from '../../../sandbox/platform/state/unpublished-behaviour.ts';
import { NOW_MS } from '../../graphql/world/harness.ts';
import { createMemoryTable } from '../../memory-table.ts';
import {
  createIntervalWorld,
  cyclesOf,
  INTERVAL,
  MONTHLY,
  orders,
  PLAN,
  PREPAID_PLAN,
  policiesOf,
} from '../../world/interval-world.ts';
import { gid } from '../world/operation-world.ts';

const FORTNIGHT = { interval: 'WEEK', intervalCount: 2 };
/** The results of a commit of the policy that the contract has. */
const waysOfCommit = UNPUBLISHED_BEHAVIOURS.samePolicyCommit.flatMap((way) =>
  RESCHEDULING_KINDS.map((rescheduling) => [way, rescheduling] as const),
);

describe('what a new interval leaves as it was, and what follows from it', () => {
  const begin = (contract?: number) =>
    createIntervalWorld({ table: createMemoryTable(), ...(contract && { contract }) });
  const anchor = { type: 'WEEKDAY' as const, day: 1, month: null, cutoffDay: 2 };

  test('sends the contract’s cycle limits and fitting anchors again, because the platform would remove them', async () => {
    const { contract, change } = begin();
    const { content } = contract;
    Object.assign(content.billingPolicy, { minCycles: 3, maxCycles: 30, anchors: [anchor] });
    Object.assign(content.deliveryPolicy, { anchors: [anchor] });
    // An interval that no plan has, so that only the contract's own terms count.
    const threeWeeks = { interval: 'WEEK', intervalCount: 3 };
    expect((await change({ interval: threeWeeks }, 'store')).payload.userErrors).toEqual([]);
    const { billingPolicy, deliveryPolicy, lines } = contract.content;
    expect(billingPolicy).toEqual({ ...threeWeeks, minCycles: 3, maxCycles: 30, anchors: [anchor] });
    expect(deliveryPolicy).toEqual({ ...threeWeeks, anchors: [anchor] });
    expect(lines).toMatchObject([{ sellingPlanName: 'Every week', currentPriceMinor: 1190 }]);
  });

  test.each(['interval', 'plan'])('the days of a plan go where the plan of an %s has none', async (by) => {
    const { contract, change } = begin();
    Object.assign(contract.content.billingPolicy, { minCycles: 3, maxCycles: 30, anchors: [anchor] });
    Object.assign(contract.content.deliveryPolicy, { anchors: [anchor] });
    await change(by === 'plan' ? { plan: PLAN } : { interval: FORTNIGHT });
    const { billingPolicy, deliveryPolicy } = contract.content;
    expect(billingPolicy).toEqual({ ...FORTNIGHT, minCycles: 3, maxCycles: 30, anchors: [] });
    expect(deliveryPolicy).toEqual({ ...FORTNIGHT, anchors: [] });
  });

  test('sets the minimum of orders of the plan whose price applies', async () => {
    const { contract, change, shop } = begin();
    contract.content.billingPolicy.minCycles = 2;
    const plan = shop().sellingPlans.get(830_100_102);
    if (plan) plan.billingPolicy.minCycles = 12;
    await change({ interval: FORTNIGHT });
    expect(contract.content.billingPolicy.minCycles).toBe(12);
    await change({ interval: { interval: 'MONTH', intervalCount: 1 } });
    expect(contract.content.billingPolicy.minCycles).toBe(12);
  });

  test('a merchant may set any interval; one payment stays for as many deliveries', async () => {
    const { contract, change } = begin();
    Object.assign(contract.content.billingPolicy, { interval: 'MONTH', intervalCount: 3 });
    Object.assign(contract.content.deliveryPolicy, { interval: 'MONTH', intervalCount: 1 });
    await change({ interval: { interval: 'YEAR', intervalCount: 1 } }, 'store');
    expect(policiesOf(contract)).toEqual(['1 YEAR', '4 MONTH']);
    await change({ interval: { interval: 'MONTH', intervalCount: 6 } }, 'store');
    expect(policiesOf(contract)).toEqual(['6 MONTH', '2 MONTH']);
  });

  test('applies the delivery frequency, the name and the prices of a plan for merchants', async () => {
    const { contract, change } = begin();
    const { payload } = await change({ plan: PREPAID_PLAN }, 'store');
    expect(payload.userErrors).toEqual([]);
    expect(policiesOf(contract)).toEqual(['3 MONTH', '1 MONTH']);
    // Six orders in: the plan's 15 percent, off the price that the line was sold at, for three deliveries.
    expect(contract.content.lines).toMatchObject([
      {
        sellingPlanId: 830_100_201,
        sellingPlanName: 'Monthly, paid every 3 months',
        currentPriceMinor: 3 * 1190,
        pricingPolicy: {
          basePriceMinor: 1400,
          cycleDiscounts: [
            { afterCycle: 0, computedPriceMinor: 3 * 1260 },
            { afterCycle: 6, computedPriceMinor: 3 * 1190 },
          ],
        },
      },
    ]);
  });

  test('a line without a pricing policy keeps its price for a delivery; percentages need no currency', async () => {
    const own = begin();
    for (const line of own.contract.content.lines)
      Object.assign(line, { pricingPolicy: null, currentPriceMinor: 1000 });
    expect((await own.change({ plan: PLAN }, 'store')).payload.userErrors).toEqual([]);
    expect(own.contract.content.lines).toMatchObject([{ currentPriceMinor: 1000, pricingPolicy: null }]);
    await own.change({ plan: PREPAID_PLAN }, 'store');
    expect(own.contract.content.lines).toMatchObject([{ currentPriceMinor: 3000, pricingPolicy: null }]);
    const foreign = begin();
    foreign.contract.content.currencyCode = 'CAD';
    expect((await foreign.change({ plan: PLAN })).payload.userErrors).toEqual([]);
    expect(foreign.contract.content.lines).toMatchObject([{ sellingPlanName: 'Every 2 weeks' }]);
  });

  test('moves only the date, and reads no plan, when the interval stays', async () => {
    const { contract, change, shop } = begin();
    for (const plan of shop().sellingPlans.values()) plan.billingPolicy.intervalCount = 9;
    contract.content.nextBillingDate = null;
    const date = formatIsoInstant(NOW_MS + 3 * DAY_MS);
    const { sent } = await change({ interval: { interval: 'WEEK', intervalCount: 1 }, date });
    expect([sent.length, contract.content.nextBillingDate]).toEqual([6, date]);
    expect(orders(contract, 1)).toEqual([`>${date.slice(0, 10)}`]);
    expect(policiesOf(contract)).toEqual(['1 WEEK', '1 WEEK']);
  });

  test('daily orders are always close: only an edited one forbids a new interval', async () => {
    const { contract, change, edit } = begin();
    const daily = { ...contract.content.billingPolicy, interval: 'DAY' as const };
    contract.content.billingPolicy = daily;
    contract.content.deliveryPolicy = { ...contract.content.deliveryPolicy, interval: 'DAY' };
    contract.schedule = [{ fromIndex: 1, startAt: formatIsoInstant(NOW_MS - 45 * DAY_MS), policy: daily }];
    edit(1, { skipped: true });
    const refused = await change({ interval: FORTNIGHT }, 'store');
    expect(refused.payload.userErrors).toMatchObject([{ code: 'ORDER_TOO_CLOSE' }]);
    contract.cycleEdits = {};
    edit(3, { skipped: true });
    expect((await change({ interval: FORTNIGHT }, 'store')).payload).toMatchObject({
      droppedEdits: [{ skipped: true }],
      userErrors: [],
    });
  });

  test.each([
    ['all orders can be edited', 'none', '-2036-06-25', 9],
    ['orders of a year can be edited', 'year', '-2027-09-01', 10],
  ] as const)(
    'keeps the skips of forty orders and of the farthest of 500 if %s',
    async (_when, editReach, last, requests) => {
      const { contract, change, edit, shop } = begin();
      shop().unpublished.editReach = editReach;
      const offsets = [...Array.from({ length: 40 }, (_, at) => at + 1), 249, 250, 251, 499, 500];
      for (const offset of offsets) edit(offset, { skipped: true });
      const days = new Set(orders(contract, 501).flatMap((order) => (order.startsWith('-') ? [order] : [])));
      const { payload, sent } = await change({ interval: FORTNIGHT }, 'store');
      const remaining = orders(contract, 501).filter((order) => order.startsWith('-'));
      expect(remaining.every((order) => days.has(order))).toBe(true);
      expect(remaining.length + payload.droppedEdits.length).toBe(offsets.length);
      expect(remaining.at(-1)).toBe(last);
      expect(sent.length).toBeLessThanOrEqual(requests);
    },
  );
});

describe('a plan of the present interval with a minimum of orders', () => {
  const LOYAL = { plan: gid('SellingPlan', 830_100_901) };
  const SECOND = gid('SellingPlan', 830_100_101);
  const begin = () => {
    const world = createIntervalWorld({ table: createMemoryTable() });
    const terms = { billing: ['WEEK', 1], delivery: ['WEEK', 1], prices: [['PERCENTAGE', 50]] } as const;
    const limits = { minCycles: 12, maxCycles: null };
    const plans = [{ name: 'Loyal', ...terms, limits }];
    addSellingPlanGroup(
      world.shop(),
      { id: 8_301_009, name: 'Loyal', productIds: [8_101_001], plans },
      formatIsoInstant(NOW_MS),
    );
    return world;
  };

  test.each([
    ['a customer', 'customer', {}],
    ['a key', 'store', {}],
    ['a customer who names a date, too', 'customer', { date: formatIsoInstant(NOW_MS + 10 * DAY_MS) }],
  ] as const)(
    'brings its minimum with its price to %s, and it stays after the plan',
    async (_who, as, more) => {
      const { contract, change } = begin();
      contract.content.billingPolicy.maxCycles = 30;
      for (let times = 0; times < 2; times++) {
        expect((await change({ ...LOYAL, ...more }, as)).payload.userErrors).toEqual([]);
        expect(contract.content.billingPolicy).toMatchObject({ minCycles: 12, maxCycles: 30 });
        expect(contract.content.lines).toMatchObject([{ sellingPlanName: 'Loyal', currentPriceMinor: 700 }]);
      }
      expect((await change({ plan: SECOND }, as)).payload.userErrors).toEqual([]);
      expect(contract.content.billingPolicy.minCycles).toBe(12);
    },
  );

  test.each(waysOfCommit)(
    'leaves skips and moves where they are, and the platform %s the cycles, counted %s',
    async (samePolicyCommit, rescheduling) => {
      const { contract, change, edit, shop } = begin();
      Object.assign(shop(), { rescheduling });
      shop().unpublished.samePolicyCommit = samePolicyCommit;
      edit(2, { skipped: true });
      const { startMs = 0 } = cyclesOf(contract, 5)[4] ?? {};
      edit(4, { date: formatIsoInstant(startMs + 2 * DAY_MS).slice(0, 10) });
      const before = orders(contract);
      expect(before[4]).toMatch(/^>/);
      expect((await change(LOYAL)).payload).toMatchObject({ userErrors: [], droppedEdits: [] });
      expect(orders(contract)).toEqual(before);
    },
  );

  test('brings its minimum again after it broke off, and skips and moves stay', async () => {
    const { contract, change, edit, shop, fail, clearFaults, settle } = begin();
    shop().unpublished.samePolicyCommit = 'recounts';
    const { startMs = 0 } = cyclesOf(contract, 5)[4] ?? {};
    edit(4, { date: formatIsoInstant(startMs + 2 * DAY_MS).slice(0, 10) });
    const before = orders(contract);
    fail({ kind: 'lost before', at: 'subscriptionBillingCycleScheduleEdit', times: 9 });
    expect((await change(LOYAL)).code).toBe('OUTCOME_UNKNOWN');
    clearFaults();
    await settle();
    expect([contract.content.billingPolicy.minCycles, orders(contract)]).toEqual([12, before]);
  });

  test('does not raise the minimum of a line that is under the plan already', async () => {
    const { contract, change } = begin();
    await change(LOYAL);
    contract.content.billingPolicy.minCycles = 3;
    expect(
      (await change({ ...LOYAL, date: formatIsoInstant(NOW_MS + 10 * DAY_MS) })).payload.userErrors,
    ).toEqual([]);
    expect(contract.content.billingPolicy.minCycles).toBe(3);
  });
});

describe('a price that the merchant set by hand', () => {
  const begin = (prepare: (line: LineRecord) => void) => {
    const world = createIntervalWorld({ table: createMemoryTable(), contract: 9_101_003 });
    for (const line of world.contract.content.lines) prepare(line);
    const prices = () => world.contract.content.lines.map(({ currentPriceMinor }) => currentPriceMinor);
    const change = async (plan: number, as?: 'store') =>
      (await world.change({ plan: gid('SellingPlan', plan) }, as)).payload.userErrors;
    return { ...world, prices, change };
  };
  const [FORTNIGHTLY, EVERY_MONTH, PREPAID] = [830_100_102, 830_100_103, 830_100_201];

  test.each([
    ['a raised price', 2000],
    ['a reduced price', 700],
    ['a gift', 0],
  ])('keeps the price of a delivery through changes of the interval and back: %s', async (_name, price) => {
    const { prices, change, contract } = begin((line) => {
      line.currentPriceMinor = price;
    });
    for (const as of [undefined, 'store'] as const) {
      expect(await change(EVERY_MONTH, as)).toEqual([]);
      expect(prices()).toEqual([price]);
      expect(await change(PREPAID, as)).toEqual([]);
      expect(prices()).toEqual([3 * price]);
      expect(contract.content.lines).toMatchObject([{ pricingPolicy: { basePriceMinor: 1500 } }]);
      expect(await change(FORTNIGHTLY, price === 0 ? 'store' : as)).toEqual([]);
      expect(prices()).toEqual([price]);
    }
  });

  test('follows the plan where the store has still to set a step, or the first one', async () => {
    for (const price of [1500, 1350]) {
      const { prices, change } = begin((line) => {
        line.currentPriceMinor = price;
      });
      expect(await change(EVERY_MONTH)).toEqual([]);
      expect(prices()).toEqual([1350]);
    }
  });

  test('keeps the price at an interval of no plan', async () => {
    const world = begin((line) => {
      line.currentPriceMinor = 2000;
    });
    const { payload } = await world.ask(
      INTERVAL,
      { interval: { interval: 'WEEK', intervalCount: 5 } },
      'store',
    );
    expect(payload.userErrors).toEqual([]);
    expect(world.prices()).toEqual([2000]);
  });
});

describe('a line under no plan', () => {
  const withGift = (priceMinor: number) => {
    const world = createIntervalWorld({ table: createMemoryTable(), contract: MONTHLY });
    const [, papers] = world.contract.content.lines;
    if (papers)
      Object.assign(papers, {
        sellingPlanId: null,
        sellingPlanName: null,
        pricingPolicy: null,
        currentPriceMinor: priceMinor,
      });
    return world;
  };
  const EVERY_TWO_MONTHS = { interval: 'MONTH', intervalCount: 2 };

  test.each(['interval', 'plan'])('keeps a gift as it is at another %s of a customer', async (by) => {
    const world = withGift(0);
    const [goods, papers] = world.contract.content.lines;
    const plans = [
      { name: 'Every 2 months', billing: ['MONTH', 2], delivery: ['MONTH', 2], prices: [] },
    ] as const;
    addSellingPlanGroup(
      world.shop(),
      { id: 8_301_009, name: 'Rare', productIds: [goods?.productId ?? 0], plans },
      formatIsoInstant(NOW_MS),
    );
    const change = by === 'plan' ? { plan: gid('SellingPlan', 830_100_901) } : { interval: EVERY_TWO_MONTHS };
    for (let times = 0; times < 2; times++) {
      expect((await world.change(change)).payload.userErrors).toEqual([]);
      expect(policiesOf(world.contract)).toEqual(['2 MONTH', '2 MONTH']);
      expect(world.contract.content.lines).toMatchObject([
        { sellingPlanName: 'Every 2 months' },
        { ...papers },
      ]);
    }
  });

  test('leaves the interval to the store when it has a price, or nothing else is left', async () => {
    const priced = withGift(100);
    const alone = withGift(0);
    alone.contract.content.lines.shift();
    for (const world of [priced, alone]) {
      const { payload } = await world.change({ interval: EVERY_TWO_MONTHS });
      expect(payload.userErrors).toMatchObject([
        {
          code: 'INTERVAL_NOT_OFFERED',
          message: expect.stringMatching(/Only the store can change its interval/),
        },
      ]);
    }
  });
});
