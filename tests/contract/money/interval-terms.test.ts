/** What a new interval leaves as it was, and what follows from it: limits of cycles, anchors, prepaid rhythms, prices. */
import { describe, expect, test } from '@jest/globals';
import { dayMs, isoInstant } from '../../../infra/emulators/platform/state/instant.ts';
import { NOW_MS } from '../../graphql/world/harness.ts';
import { createMemoryTable } from '../../memory-table.ts';
import { createIntervalWorld, orders, PLAN, PREPAID_PLAN, policiesOf } from '../world/interval-world.ts';

const FORTNIGHT = { interval: 'WEEK', intervalCount: 2 };

describe('what a new interval leaves as it was, and what follows from it', () => {
  const begin = (contract?: number) =>
    createIntervalWorld({ table: createMemoryTable(), ...(contract && { contract }) });
  const anchor = { type: 'WEEKDAY' as const, day: 1, month: null, cutoffDay: 2 };

  test('limits of cycles and anchors that fit are sent again; the platform forgets them otherwise', async () => {
    const { contract, change } = begin();
    const { content } = contract;
    Object.assign(content.billingPolicy, { minCycles: 3, maxCycles: 30, anchors: [anchor] });
    Object.assign(content.deliveryPolicy, { anchors: [anchor] });
    // A rhythm that no plan has, so that only the contract's own terms count.
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

  test('who takes the price of a plan with a minimum of orders takes the minimum', async () => {
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

  test('a plan for merchants: its rhythm of deliveries, its name, its price for all of them', async () => {
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

  test('the same interval with another date moves the date alone, and no plan is asked for', async () => {
    const { contract, change, shop } = begin();
    for (const plan of shop().sellingPlans.values()) plan.billingPolicy.intervalCount = 9;
    contract.content.nextBillingDate = null;
    const date = isoInstant(NOW_MS + 3 * dayMs);
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
    contract.schedule = [{ fromIndex: 1, startAt: isoInstant(NOW_MS - 45 * dayMs), policy: daily }];
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

  test('the farthest of 500 coming orders keeps its skip, and forty of them theirs', async () => {
    const { contract, change, edit } = begin();
    const offsets = [...Array.from({ length: 40 }, (_, at) => at + 1), 249, 250, 251, 499, 500];
    for (const offset of offsets) edit(offset, { skipped: true });
    const days = new Set(orders(contract, 501).flatMap((order) => (order.startsWith('-') ? [order] : [])));
    const { payload, sent } = await change({ interval: FORTNIGHT }, 'store');
    const kept = orders(contract, 501).filter((order) => order.startsWith('-'));
    expect(kept.every((order) => days.has(order))).toBe(true);
    expect(kept.length + payload.droppedEdits.length).toBe(offsets.length);
    expect(kept).toContain('-2036-06-25');
    expect(sent.length).toBeLessThanOrEqual(9);
  });
});
