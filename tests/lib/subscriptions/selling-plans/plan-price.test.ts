import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  computePlanPrice,
  type PlanPriceRequest,
  type PlanPricingPolicy,
  scaleToDeliveries,
} from '../../../../lib/subscriptions/selling-plans/plan-price.ts';

const percent = (percentage: number, afterCycle?: number): PlanPricingPolicy => ({
  adjustmentType: 'PERCENTAGE',
  adjustmentValue: { percentage },
  ...(afterCycle !== undefined && { afterCycle }),
});
const amount = (adjustmentType: string, value: string, afterCycle?: number): PlanPricingPolicy => ({
  adjustmentType,
  adjustmentValue: { amount: value },
  ...(afterCycle !== undefined && { afterCycle }),
});

function current(basePrice: string, policies: PlanPricingPolicy[], order: Partial<PlanPriceRequest> = {}) {
  const next = { paidOrderCount: 0, deliveriesPerPayment: 1, currencyCode: 'USD' };
  return computePlanPrice({ basePrice, policies, ...next, ...order })?.currentPrice;
}

test('a policy of a kind that is not known has no price', () => {
  expect(current('10.00', [amount('LOYALTY', '1.00')])).toBeUndefined();
  expect(current('10.00', [{ adjustmentType: 'PERCENTAGE', adjustmentValue: {} }])).toBeUndefined();
});

describe('the price of one', () => {
  test.each([
    ['without a policy', '14.00', [], '14.0'],
    ['a percentage off', '14.00', [percent(10)], '12.6'],
    ['an amount off', '14.00', [amount('FIXED_AMOUNT', '2.50')], '11.5'],
    ['an amount instead', '14.00', [amount('PRICE', '9.99')], '9.99'],
    ['everything off', '2.00', [percent(100)], '0.0'],
    // 19.99 × 0.85 = 16.9915; 0.15 × 0.5 = 0.075; 1.15 × 0.5 = 0.575, which floats make 0.57.
    ['rounded down', '19.99', [percent(15)], '16.99'],
    ['a half is rounded up', '0.15', [percent(50)], '0.08'],
    ['a half that floats lose', '1.15', [percent(50)], '0.58'],
    ['a percentage with a fraction', '100.00', [percent(33.3)], '66.7'],
  ])('%s', (_name, price, policies, expected) => {
    expect(current(price, policies)).toBe(expected);
  });

  test('returns the price in the digits of the currency', () => {
    expect(current('1250', [percent(15)], { currencyCode: 'JPY' })).toBe('1063.0');
    expect(current('1.250', [percent(15)], { currencyCode: 'KWD' })).toBe('1.063');
  });

  test.each(['2.50', '2.00'])('an amount of %s off 2.00 would give it away: no price', (off) => {
    expect(current('2.00', [amount('FIXED_AMOUNT', off)])).toBeUndefined();
    expect(current('0.00', [amount('FIXED_AMOUNT', off)])).toBe('0.0');
    // For three deliveries it is an amount off.
    expect(current('2.00', [amount('FIXED_AMOUNT', off)], { deliveriesPerPayment: 3 })).toBe(
      off === '2.50' ? '3.5' : '4.0',
    );
    // Steps that have ended or not started do not count.
    const steps = [amount('FIXED_AMOUNT', off), percent(10, 2), amount('FIXED_AMOUNT', off, 4)];
    expect(current('2.00', steps, { paidOrderCount: 2 })).toBe('1.8');
    expect(current('2.00', steps, { paidOrderCount: 4 })).toBeUndefined();
  });
});

describe('of a payment for several deliveries', () => {
  // A real one: base 170, 20 % off, three deliveries = 408; after three orders 10 % off = 459.
  test.each([
    ['without a policy', '170.00', [], 0, '510.0'],
    ['a percentage off', '170.00', [percent(20), percent(10, 3)], 2, '408.0'],
    ['a step that has begun', '170.00', [percent(20), percent(10, 3)], 3, '459.0'],
    ['an amount off the payment', '170.00', [amount('FIXED_AMOUNT', '10.00')], 0, '500.0'],
    // 3 × 0.33 × 0.5 = 0.495, rounded once; each delivery rounded would be 0.51.
    ['rounded once', '0.33', [percent(50)], 0, '0.5'],
  ])('%s', (_name, base, policies, paidOrderCount, expected) => {
    expect(current(base, policies, { paidOrderCount, deliveriesPerPayment: 3 })).toBe(expected);
  });

  test('a base price is for one delivery, a step for all', () => {
    const order = { paidOrderCount: 0, deliveriesPerPayment: 3, currencyCode: 'USD' };
    expect(computePlanPrice({ basePrice: '170.00', policies: [percent(20)], ...order })).toMatchObject({
      basePrice: '170.0',
      cycleDiscounts: [{ computedPrice: '408.0' }],
    });
  });

  test('an amount instead of a discount has no price, because it may be for one delivery or for all', () => {
    const policies = [percent(10), amount('PRICE', '9.99', 5)];
    expect(current('14.00', policies, { deliveriesPerPayment: 2 })).toBeUndefined();
    expect(current('14.00', policies)).toBe('12.6');
  });
});

describe('an amount for each payment, when payments get another number of deliveries', () => {
  test.each([
    ['4.90', 1, 3, 'USD', '14.7'],
    ['14.70', 3, 1, 'USD', '4.9'],
    ['10.00', 3, 1, 'USD', '3.33'],
    ['10.00', 3, 2, 'USD', '6.67'],
    ['500', 3, 1, 'JPY', '167.0'],
    ['1.000', 3, 1, 'KWD', '0.333'],
    ['0.00', 3, 1, 'USD', '0.0'],
    // A price above zero does not become zero.
    ['0.01', 3, 1, 'USD', '0.01'],
    ['7.77', 4, 4, 'USD', '7.77'],
  ])(
    'converts %s for %d to payments for %d in %s: %s',
    (given, deliveriesBefore, deliveriesAfter, currencyCode, expected) => {
      expect(scaleToDeliveries({ amount: given, currencyCode }, { deliveriesBefore, deliveriesAfter })).toBe(
        expected,
      );
    },
  );

  test('no chain of changes takes a whole smallest unit off a delivery', () => {
    const counts = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 100_000 }), counts, (minor, chain) => {
        let [amountNow, deliveriesBefore] = [`${minor}`, 1];
        for (const deliveriesAfter of chain) {
          amountNow =
            scaleToDeliveries(
              { amount: amountNow, currencyCode: 'JPY' },
              { deliveriesBefore, deliveriesAfter },
            ).split('.')[0] ?? '';
          deliveriesBefore = deliveriesAfter;
        }
        expect(Math.abs(Number(amountNow) / deliveriesBefore - minor)).toBeLessThan(1);
      }),
      { seed: 1 },
    );
  });
});

describe('after so many orders', () => {
  const policies = [percent(25), percent(10, 2), amount('PRICE', '8.00', 5)];

  test.each([
    [0, '7.5'],
    [1, '7.5'],
    [2, '9.0'],
    [4, '9.0'],
    [5, '8.0'],
    [500, '8.0'],
  ])('%d it is %s', (paidOrderCount, expected) => {
    expect(current('10.00', policies, { paidOrderCount })).toBe(expected);
    expect(current('10.00', policies.toReversed(), { paidOrderCount })).toBe(expected);
  });

  test('returns every later step as a draft takes it', () => {
    const price = computePlanPrice({
      basePrice: '10.00',
      policies,
      paidOrderCount: 3,
      deliveriesPerPayment: 1,
      currencyCode: 'USD',
    });
    expect(price).toEqual({
      basePrice: '10.0',
      currentPrice: '9.0',
      cycleDiscounts: [
        {
          adjustmentType: 'PERCENTAGE',
          adjustmentValue: { percentage: 25 },
          afterCycle: 0,
          computedPrice: '7.5',
        },
        {
          adjustmentType: 'PERCENTAGE',
          adjustmentValue: { percentage: 10 },
          afterCycle: 2,
          computedPrice: '9.0',
        },
        {
          adjustmentType: 'PRICE',
          adjustmentValue: { fixedValue: '8.0' },
          afterCycle: 5,
          computedPrice: '8.0',
        },
      ],
    });
  });

  test('takes the later of two steps after the same cycle, because a draft takes one', () => {
    const price = computePlanPrice({
      basePrice: '10.00',
      policies: [percent(10), percent(20)],
      paidOrderCount: 0,
      deliveriesPerPayment: 1,
      currencyCode: 'USD',
    });
    expect(price?.currentPrice).toBe('8.0');
    expect(price?.cycleDiscounts).toHaveLength(1);
  });
});

test('a percentage of whole percents is exact, whatever the price', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 10 ** 9 }),
      fc.integer({ min: 0, max: 100 }),
      (minor, percentage) => {
        const text = `${Math.floor(minor / 100)}.${`${minor % 100}`.padStart(2, '0')}`;
        const exact = (BigInt(minor) * BigInt(100 - percentage) + 50n) / 100n;
        expect(BigInt(Math.round(Number(current(text, [percent(percentage)])) * 100))).toBe(exact);
      },
    ),
  );
});
