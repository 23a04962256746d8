import { describe, expect, test } from '@jest/globals';
import {
  decimalOf,
  deliveriesOf,
  type Interval,
  minorOf,
  nextPrice,
  priceUnder,
  type Step,
  sameForEachDelivery,
} from './price-oracle.ts';

const percent = (value: number, afterCycle = 0): Step => ({ type: 'PERCENTAGE', value, afterCycle });
const off = (value: number): Step => ({ type: 'FIXED_AMOUNT', value, afterCycle: 0 });
const price = (value: number): Step => ({ type: 'PRICE', value, afterCycle: 0 });
const frequency = (intervalCount: number, interval: Interval) => ({ interval, intervalCount });

describe('worked out by hand', () => {
  test('a checkout of 6 × 10.00, 20 % off: 48.00, which is 8.00 for each delivery', () => {
    const minor = priceUnder(percent(20), minorOf('10.00', 'EUR'), 6);
    expect(decimalOf(minor ?? 0, 'EUR')).toBe('48.00');
    expect(decimalOf((minor ?? 0) / 6, 'EUR')).toBe('8.00');
  });

  test('a real contract of 3 × 170, 20 % off and 10 % after three orders: 408, then 459', () => {
    const steps = [percent(20), percent(10, 3)];
    const at = (ordersMade: number) => nextPrice(steps, { base: 170, d: 3, ordersMade });
    expect([0, 1, 2, 3, 4].map(at)).toEqual([408, 408, 408, 459, 459]);
  });

  test.each([
    ['nothing off', null, 1295, 3, 3885],
    ['15 % of 3 × 9.99 is 25.4745, not 3 × 8.49', percent(15), 999, 3, 2547],
    ['5 % of 10.50 is 9.975: half up', percent(5), 1050, 1, 998],
    ['33.33 % of 10.00 is 6.667', percent(33.33), 1000, 1, 667],
    ['all off', percent(100), 999, 3, 0],
    ['5.00 off once, of three deliveries', off(500), 1000, 3, 2500],
    ['no price is below nothing', off(5000), 1000, 3, 0],
    ['a price for one', price(900), 1295, 1, 900],
    ['a price for several is not published', price(900), 1295, 3, null],
  ])('%s', (_name, step, base, d, expected) => {
    expect(priceUnder(step, base, d)).toBe(expected);
  });

  test('a later PRICE step refuses the plan whole where a payment is for several deliveries', () => {
    const steps = [percent(10), { ...price(900), afterCycle: 4 }];
    expect(nextPrice(steps, { base: 1000, d: 2, ordersMade: 0 })).toBeNull();
    expect(nextPrice(steps, { base: 1000, d: 1, ordersMade: 4 })).toBe(900);
  });

  test('converts the price of delivery between payments for one, two and three deliveries', () => {
    expect(sameForEachDelivery(490, 1, 3)).toBe(1470);
    expect(sameForEachDelivery(1000, 3, 1)).toBe(333);
    expect(sameForEachDelivery(1001, 2, 1)).toBe(501);
  });

  test.each([
    [frequency(3, 'MONTH'), frequency(1, 'MONTH'), 3],
    [frequency(1, 'YEAR'), frequency(2, 'MONTH'), 6],
    [frequency(2, 'WEEK'), frequency(7, 'DAY'), 2],
    [frequency(3, 'WEEK'), frequency(2, 'WEEK'), null],
    [frequency(1, 'MONTH'), frequency(1, 'WEEK'), null],
    [frequency(1, 'WEEK'), frequency(2, 'WEEK'), null],
  ])('returns the deliveries of a payment that is paid %j and delivered %j: %s', (billing, delivery, d) => {
    expect(deliveriesOf(billing, delivery)).toBe(d);
  });

  test.each([
    ['JPY', '1400', 1400],
    ['EUR', '14.05', 1405],
    ['KWD', '14.005', 14_005],
  ])('%s %s', (currency, amount, minor) => {
    expect(minorOf(amount, currency)).toBe(minor);
    expect(decimalOf(minor, currency)).toBe(amount);
  });

  test('an amount finer than its currency is no amount', () => {
    expect(() => minorOf('14.5', 'JPY')).toThrow('finer');
    expect(minorOf('14.0', 'JPY')).toBe(14);
  });
});
