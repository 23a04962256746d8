/** Paid deliveries: another interval has no order before their end, unless a customer requests it. */
import { describe, expect, it } from '@jest/globals';
import {
  findCycleAt,
  listCyclesBetween,
  type ReschedulingRule,
} from '../../../sandbox/platform/state/billing-cycles.ts';
import { DAY_MS, formatIsoInstant, HOUR_MS } from '../../../sandbox/platform/state/instant.ts';
import { addSellingPlanGroup } from '../../../sandbox/platform/state/seed/seed-plans.ts';
import { NOW_MS } from '../../graphql/world/harness.ts';
import { createMemoryTable } from '../../memory-table.ts';
import { createIntervalWorld, PREPAID_PLAN } from '../../world/interval-world.ts';
import { discountByHand } from '../world/discount-by-hand.ts';
import { gid } from '../world/operation-world.ts';

const MONTHLY_PLAN = gid('SellingPlan', 830_100_103);
const RESCHEDULINGS = ['AFTER_CURRENT_CYCLE', 'FROM_CURRENT_CYCLE'] as const;
const amountOff = discountByHand({ value: { amountMinor: 100, appliesOnEachItem: false } });

/** Ada's decaf, every two weeks, on a platform that counts a new interval so. */
function begin(rescheduling: ReschedulingRule) {
  const world = createIntervalWorld({ table: createMemoryTable(), contract: 9_101_003, rescheduling });
  const { contract } = world;
  contract.content.status = 'ACTIVE';
  const now = () => world.platform.holder.nowMs;
  const ahead = () => {
    const first = findCycleAt(contract, now())?.index ?? 1;
    return listCyclesBetween(contract, first, first + 200);
  };
  const nextCycle = () =>
    ahead().find(({ billed, skipped, expectedMs }) => !billed && !skipped && expectedMs > now());
  /** The date of the next order. */
  const next = () => formatIsoInstant(nextCycle()?.expectedMs ?? 0);
  /** Charges the next order so long before its date, or after it. */
  const charge = (earlyMs = -HOUR_MS) => {
    const cycle = nextCycle();
    if (cycle === undefined) throw new Error('no order');
    world.later(cycle.expectedMs - earlyMs - now());
    contract.billedCycles.push(cycle.index);
  };
  const change = async (variables: object, as?: 'store') =>
    (await world.change(variables, as)).payload.userErrors.map(
      ({ field, code }: { field: string[]; code: string }) => [field.join('.'), code],
    );
  const days = (count: number) => formatIsoInstant(now() + count * DAY_MS);
  return { ...world, next, charge, change, days };
}

/** A contract whose last payment is for three months. */
async function paidAhead(rescheduling: ReschedulingRule, earlyMs?: number) {
  const world = begin(rescheduling);
  expect(await world.change({ plan: PREPAID_PLAN })).toEqual([]);
  world.charge(earlyMs);
  return world;
}

it('keeps the date after a payment that was made late, when the plan had changed after its day', async () => {
  const world = begin('FROM_CURRENT_CYCLE');
  const index = findCycleAt(world.contract, Date.parse(world.next()))?.index ?? 0;
  world.later(Date.parse(world.next()) + 7 * HOUR_MS - world.platform.holder.nowMs);
  expect(await world.change({ plan: PREPAID_PLAN })).toEqual([]);
  world.later(HOUR_MS);
  const charged = await world.ask(CHARGE, { index }, 'store');
  expect(charged.payload.userErrors).toEqual([]);
  await world.settle();
  const paidUntil = world.next();
  expect(await world.change({ plan: MONTHLY_PLAN })).toEqual([]);
  expect(world.next()).toBe(paidUntil);
});

describe.each(RESCHEDULINGS)('on a platform that counts a new interval %s', (rescheduling) => {
  it.each([
    ['on its day', undefined],
    ['20 hours early', 20 * HOUR_MS],
  ])('the next order keeps its date after a payment for three months %s', async (_when, earlyMs) => {
    const world = await paidAhead(rescheduling, earlyMs);
    const paidUntil = world.next();
    expect(Date.parse(paidUntil) - Date.parse(world.days(0))).toBeGreaterThan(80 * DAY_MS);
    for (const plan of [MONTHLY_PLAN, PREPAID_PLAN, MONTHLY_PLAN]) {
      expect(await world.change({ plan })).toEqual([]);
      expect(world.next()).toBe(paidUntil);
      world.later(2 * DAY_MS);
    }
    expect(await world.change({ interval: { interval: 'WEEK', intervalCount: 1 } })).toEqual([]);
    expect(world.next()).toBe(paidUntil);
  });

  it('keeps the date where the customer skipped the order before it', async () => {
    const world = await paidAhead(rescheduling);
    const index = findCycleAt(world.contract, Date.parse(world.next()))?.index ?? 0;
    world.contract.cycleEdits[index] = { skipped: true, billingDate: null, contract: null };
    const next = world.next();
    expect(await world.change({ plan: MONTHLY_PLAN })).toEqual([]);
    expect(world.next()).toBe(next);
  });

  it('keeps the date of a paused subscription', async () => {
    const world = await paidAhead(rescheduling);
    const paidUntil = world.next();
    world.contract.content.status = 'PAUSED';
    expect(await world.change({ plan: MONTHLY_PLAN }, 'store')).toEqual([]);
    world.contract.content.status = 'ACTIVE';
    expect(world.next()).toBe(paidUntil);
  });

  it('keeps the date from before a larger payment that was never made', async () => {
    const world = begin(rescheduling);
    const due = world.next();
    expect(await world.change({ plan: PREPAID_PLAN })).toEqual([]);
    expect(await world.change({ plan: gid('SellingPlan', 830_100_102) })).toEqual([]);
    expect(world.next()).toBe(due);
  });

  it('moves the next order to an earlier date that a customer asks for', async () => {
    const world = await paidAhead(rescheduling);
    const date = world.days(5);
    expect(await world.change({ plan: MONTHLY_PLAN, date })).toEqual([]);
    expect(world.next()).toBe(date);
  });

  it('refuses a date before the end of what is paid while the store gives something with each delivery', async () => {
    const world = await paidAhead(rescheduling);
    const paidUntil = world.next();
    world.contract.content.discounts.push(amountOff);
    const { payload, refusals } = await world.ask(INTERVAL_WITH_DATE, {
      plan: MONTHLY_PLAN,
      date: world.days(5),
    });
    expect(payload.userErrors).toEqual([
      {
        field: ['nextBillingDate'],
        code: 'DISCOUNT_TIED_TO_INTERVAL',
        message: expect.stringMatching(/^Deliveries are already paid for until .* Choose a later date/),
      },
    ]);
    expect(refusals[0]?.details?.discountIds).toEqual([gid('SubscriptionManualDiscount', amountOff.id)]);
    expect(await world.change({ plan: MONTHLY_PLAN, date: paidUntil })).toEqual([]);
    expect(world.next()).toBe(paidUntil);
  });

  it('does not follow an order that was moved forward while the store gives something with each delivery', async () => {
    const world = await paidAhead(rescheduling);
    const paidUntil = world.next();
    world.contract.content.discounts.push(amountOff);
    const index = findCycleAt(world.contract, Date.parse(paidUntil))?.index ?? 0;
    const billingDate = world.days(5);
    world.contract.cycleEdits[index] = { skipped: false, billingDate, contract: null };
    expect(await world.change({ plan: MONTHLY_PLAN })).toEqual([]);
    expect(world.next()).toBe(paidUntil);
  });

  it('lets the next order come later where the interval makes the cycle of an early payment longer', async () => {
    const world = await paidAhead(rescheduling, 20 * HOUR_MS);
    const paidUntil = world.next();
    const plans = [
      { name: 'Half a year', billing: ['MONTH', 6], delivery: ['MONTH', 1], prices: [] },
    ] as const;
    const productIds = [world.contract.content.lines[0]?.productId ?? 0];
    addSellingPlanGroup(
      world.shop(),
      { id: 8_301_009, name: 'Years', productIds, plans },
      formatIsoInstant(NOW_MS),
    );
    expect(await world.change({ plan: gid('SellingPlan', 830_100_901) })).toEqual([]);
    expect(Date.parse(world.next())).toBeGreaterThanOrEqual(Date.parse(paidUntil));
  });

  it('refuses an interval at which too many orders would lie before the date', async () => {
    const world = await paidAhead(rescheduling);
    const plans = [{ name: 'Daily', billing: ['DAY', 1], delivery: ['DAY', 1], prices: [] }] as const;
    const productIds = [world.contract.content.lines[0]?.productId ?? 0];
    addSellingPlanGroup(
      world.shop(),
      { id: 8_301_009, name: 'Days', productIds, plans },
      formatIsoInstant(NOW_MS),
    );
    const daily = { plan: gid('SellingPlan', 830_100_901) };
    expect(await world.change(daily)).toEqual([['sellingPlanId', 'OUT_OF_BOUNDS']]);
    expect(await world.change({ ...daily, date: world.days(5) })).toEqual([]);
  });
});

const INTERVAL_WITH_DATE = `mutation ($contractId: ID!, $plan: ID, $date: DateTime) {
  subscriptionContractIntervalUpdate(contractId: $contractId, sellingPlanId: $plan, nextBillingDate: $date) {
    userErrors { field message code }
  }
}`;

const CHARGE = `mutation ($contractId: ID!, $index: Int!) {
  subscriptionBillingCycleCharge(subscriptionContractId: $contractId, billingCycleSelector: { index: $index }) {
    userErrors { field message code }
  }
}`;
