import { describe, expect, test } from '@jest/globals';
import { formatMoneyScalar, toMinorUnits, toMoneyV2 } from '../../../../sandbox/platform/admin/money.ts';
import { computeAdjustedPrice } from '../../../../sandbox/platform/state/price.ts';

describe('the price of one payment', () => {
  test.each([
    ['six deliveries, 20 % off', 1000, 6, 'PERCENTAGE', 20, 4800],
    ['three deliveries, 20 % off', 17_000, 3, 'PERCENTAGE', 20, 40_800],
    ['three deliveries, 10 % off', 17_000, 3, 'PERCENTAGE', 10, 45_900],
    ['rounded once, not for each delivery', 999, 3, 'PERCENTAGE', 15, 2547],
    ['half a cent is rounded up', 1050, 1, 'PERCENTAGE', 5, 998],
    ['a part of a percent', 1000, 1, 'PERCENTAGE', 33.33, 667],
    ['an amount off the whole', 1000, 3, 'FIXED_AMOUNT', 500, 2500],
    ['an amount that is more than the whole', 100, 2, 'FIXED_AMOUNT', 500, 0],
    ['the price itself', 1000, 1, 'PRICE', 900, 900],
  ] as const)('%s', (_name, baseMinor, deliveries, adjustmentType, adjustmentValue, expected) => {
    expect(computeAdjustedPrice(baseMinor, deliveries, { adjustmentType, adjustmentValue })).toBe(expected);
  });
});

describe('money on the wire has the digits of its currency', () => {
  test.each([
    ['JPY', 1400, '1400.0', '1400'],
    ['EUR', 1400, '14.0', '14.00'],
    ['EUR', 1265, '12.65', '12.65'],
    ['KWD', 12_345, '12.345', '12.345'],
    ['KWD', 12_300, '12.3', '12.300'],
  ])('%s %d', (currency, minor, amount, scalar) => {
    expect(toMoneyV2(minor, currency)).toMatchObject({ amount, currencyCode: currency });
    expect(formatMoneyScalar(minor, currency)).toBe(scalar);
    expect(toMinorUnits(amount, currency)).toBe(minor);
  });

  test.each([
    ['1.005', 'EUR', 101],
    ['0.5', 'JPY', 1],
    [1.0005, 'KWD', 1001],
    ['1e-7', 'EUR', 0],
  ])('%s %s is rounded half up, as it is written', (amount, currency, minor) => {
    expect(toMinorUnits(amount, currency)).toBe(minor);
  });
});
