import { describe, expect, test } from '@jest/globals';
import {
  expectedInterval,
  expectedNewLine,
  type OracleContract,
  type OracleLine,
  type OraclePlan,
} from './plan-oracle.ts';
import type { Step } from './price-oracle.ts';

const off = (value: number, afterCycle = 0): Step => ({ type: 'PERCENTAGE', value, afterCycle });
const months = (intervalCount: number) => ({ interval: 'MONTH' as const, intervalCount });
const weeks = (intervalCount: number) => ({ interval: 'WEEK' as const, intervalCount });

const plan = (id: number, more: Partial<OraclePlan>): OraclePlan => ({
  id,
  name: `plan ${id}`,
  position: id,
  billing: months(1),
  delivery: months(1),
  anchors: [],
  steps: [],
  ...more,
});

const monthly = plan(1, { steps: [off(5)] });
const quarterly = plan(2, { billing: months(3), delivery: months(3), steps: [off(10)] });
const prepaid = plan(3, { billing: months(3), steps: [off(20), off(10, 3)] });
const halfYear = plan(4, { billing: months(6), steps: [off(25)] });
const halfYearly = plan(5, { billing: months(6), delivery: months(2), steps: [off(15)] });

const line = (more: Partial<OracleLine> = {}): OracleLine => ({
  id: 'a',
  quantity: 1,
  price: 950,
  pricing: { base: 1000, steps: monthly.steps },
  planId: 1,
  offers: [monthly, quarterly, prepaid, halfYear, halfYearly],
  ...more,
});

const contract = (more: Partial<OracleContract> = {}): OracleContract => ({
  billing: months(1),
  delivery: months(1),
  anchors: [],
  deliveryPrice: 490,
  ordersMade: 0,
  lines: [line()],
  ...more,
});

describe('an interval alone', () => {
  test('keeps the deliveries of a payment, and takes the plan of the new frequency with as many', () => {
    expect(expectedInterval(contract(), { interval: months(3) }, 'customer')).toEqual({
      billing: months(3),
      delivery: months(3),
      d: 1,
      anchors: [],
      deliveryPrice: 490,
      lines: [{ id: 'a', planId: 2, prices: [900] }],
    });
  });

  test('never makes a payment that is for several deliveries out of one that is for one', () => {
    const only = contract({ lines: [line({ offers: [monthly, prepaid] })] });
    expect(expectedInterval(only, { interval: months(3) }, 'customer')).toEqual({
      refused: 'INTERVAL_NOT_OFFERED',
    });
  });

  test('takes a plan of as many deliveries, at its own price, for a prepaid contract', () => {
    const ahead = contract({
      billing: months(3),
      deliveryPrice: 1470,
      lines: [line({ price: 2400, pricing: { base: 1000, steps: prepaid.steps }, planId: 3 })],
    });
    expect(expectedInterval(ahead, { interval: months(6) }, 'customer')).toMatchObject({
      delivery: months(2),
      d: 3,
      deliveryPrice: 1470,
      lines: [{ planId: 5, prices: [2550] }],
    });
  });

  test('refuses an interval whose plans differ in more than their position', () => {
    const twice = (more: Partial<OraclePlan>) =>
      contract({
        lines: [line({ offers: [quarterly, { ...quarterly, id: 9, position: 0, ...more }] })],
      });
    const requested = { interval: months(3) };
    expect(expectedInterval(twice({}), requested, 'customer')).toMatchObject({ lines: [{ planId: 9 }] });
    for (const more of [{ steps: [] }, { name: 'other' }, { anchors: [theFirst] }])
      expect(expectedInterval(twice(more), requested, 'merchant')).toEqual({
        refused: 'INTERVAL_NOT_OFFERED',
      });
  });

  test('allows an interval of no plan to merchants only, at the line’s own base and if the anchors fit', () => {
    const requested = { interval: weeks(5) };
    expect(expectedInterval(contract(), requested, 'customer')).toEqual({ refused: 'INTERVAL_NOT_OFFERED' });
    expect(expectedInterval(contract(), requested, 'merchant')).toMatchObject({
      d: 1,
      lines: [{ planId: null, prices: [1000, 950] }],
    });
    expect(expectedInterval(contract({ anchors: [theFirst] }), requested, 'merchant')).toEqual({
      refused: 'ANCHORS_DO_NOT_FIT',
    });
    const three = contract({ billing: months(3) });
    expect(expectedInterval(three, { interval: months(4) }, 'merchant')).toEqual({
      refused: 'INTERVAL_NOT_OFFERED',
    });
  });

  test('leaves the price of a line without a pricing policy', () => {
    const byHand = contract({ lines: [line({ pricing: null, price: 777 })] });
    expect(expectedInterval(byHand, { interval: months(3) }, 'customer')).toMatchObject({
      lines: [{ prices: [777] }],
    });
  });
});

const theFirst = { type: 'MONTHDAY' as const, day: 1, month: null, cutoffDay: null };

describe('a plan by its id', () => {
  test('is paid for all its deliveries, the price of delivery too', () => {
    expect(expectedInterval(contract(), { planId: 4 }, 'customer')).toMatchObject({
      d: 6,
      deliveryPrice: 2940,
      lines: [{ planId: 4, prices: [4500] }],
    });
  });

  test('counts the orders made: its later step', () => {
    const later = contract({ ordersMade: 3 });
    expect(expectedInterval(later, { planId: 3 }, 'customer')).toMatchObject({ lines: [{ prices: [2700] }] });
  });

  test('leaves the anchors of the contract behind', () => {
    const anchored = contract({ anchors: [theFirst] });
    expect(expectedInterval(anchored, { planId: 3 }, 'customer')).toMatchObject({ anchors: [] });
  });

  test('takes for other lines their own plan of equal policies, or is refused', () => {
    const own = plan(13, { billing: months(3), position: 7, steps: [off(30)] });
    const other = line({ id: 'b', price: 500, pricing: { base: 500, steps: [] }, planId: 11, offers: [own] });
    const both = (second: OracleLine) => contract({ lines: [line(), second] });
    expect(expectedInterval(both(other), { planId: 3 }, 'customer')).toMatchObject({
      lines: [
        { planId: 3, prices: [2400] },
        { planId: 13, prices: [1050] },
      ],
    });
    expect(expectedInterval(both(line({ id: 'b', offers: [monthly] })), { planId: 3 }, 'merchant')).toEqual({
      refused: 'INTERVAL_NOT_OFFERED',
    });
  });

  test('refuses a plan that no line offers, or that is a PRICE for several deliveries', () => {
    const price: Step = { type: 'PRICE', value: 2000, afterCycle: 0 };
    const refused = { refused: 'INTERVAL_NOT_OFFERED' };
    const priced = contract({ lines: [line({ offers: [{ ...prepaid, steps: [price] }] })] });
    expect(expectedInterval(priced, { planId: 3 }, 'merchant')).toEqual(refused);
    expect(expectedInterval(contract(), { planId: 99 }, 'merchant')).toEqual(refused);
  });

  test('keeps the price per delivery of a line without a pricing policy', () => {
    const byHand = contract({ lines: [line({ pricing: null, price: 777 })] });
    expect(expectedInterval(byHand, { planId: 3 }, 'customer')).toMatchObject({
      lines: [{ prices: [2331] }],
    });
  });
});

test('a new line costs the catalogue price for the whole payment, under a plan of the same frequency', () => {
  const ahead = contract({ billing: months(3), ordersMade: 3 });
  expect(expectedNewLine(ahead, { base: 1000, plan: prepaid })).toEqual({ price: 2700 });
  for (const wrong of [quarterly, monthly, halfYear])
    expect(expectedNewLine(ahead, { base: 1000, plan: wrong })).toEqual({ refused: 'VARIANT_NOT_AVAILABLE' });
});
