import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type PlanPricingPolicy, planPrice } from '../../../lib/subscriptions/plan-price.ts';

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

function current(
  cataloguePrice: string,
  policies: PlanPricingPolicy[],
  cycleIndex = 1,
  currencyCode = 'USD',
) {
  return planPrice({ cataloguePrice, policies, cycleIndex, currencyCode })?.currentPrice;
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
    ['never below zero', '2.00', [amount('FIXED_AMOUNT', '2.50')], '0.0'],
    ['everything off', '2.00', [percent(100)], '0.0'],
    // 19.99 × 0.85 = 16.9915; 0.15 × 0.5 = 0.075; 1.15 × 0.5 = 0.575, which floats make 0.57.
    ['rounded down', '19.99', [percent(15)], '16.99'],
    ['a half is rounded up', '0.15', [percent(50)], '0.08'],
    ['a half that floats lose', '1.15', [percent(50)], '0.58'],
    ['a percentage with a fraction', '100.00', [percent(33.3)], '66.7'],
  ])('%s', (_name, price, policies, expected) => {
    expect(current(price, policies)).toBe(expected);
  });

  test('in the digits of the currency', () => {
    expect(current('1250', [percent(15)], 1, 'JPY')).toBe('1063.0');
    expect(current('1.250', [percent(15)], 1, 'KWD')).toBe('1.063');
  });
});

describe('at a cycle', () => {
  const policies = [percent(25), percent(10, 2), amount('PRICE', '8.00', 5)];

  test.each([
    [0, '7.5'],
    [1, '7.5'],
    [2, '7.5'],
    [3, '9.0'],
    [5, '9.0'],
    [6, '8.0'],
    [500, '8.0'],
  ])('%d it is %s', (cycleIndex, expected) => {
    expect(current('10.00', policies, cycleIndex)).toBe(expected);
    expect(current('10.00', policies.toReversed(), cycleIndex)).toBe(expected);
  });

  test('every step comes along, as a draft takes it', () => {
    const price = planPrice({ cataloguePrice: '10.00', policies, cycleIndex: 4, currencyCode: 'USD' });
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

  test('of two steps after the same cycle the later one stands: a draft takes one', () => {
    const price = planPrice({
      cataloguePrice: '10.00',
      policies: [percent(10), percent(20)],
      cycleIndex: 1,
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
