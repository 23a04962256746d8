import { expect, test } from '@jest/globals';
import { formatMinorUnits, parseDecimal, toMinorUnits } from '../../../lib/domain/money.ts';

test.each(['', '.5', '1.', '1,5', '1e3', ' 1', 'NaN', '0x1'])('refuses %p', (text) => {
  expect(() => parseDecimal(text)).toThrow('not a decimal number');
});

test.each([
  ['14.00', 'USD', 1400n, '14.0'],
  ['12.6', 'USD', 1260n, '12.6'],
  ['12.65', 'EUR', 1265n, '12.65'],
  ['0.005', 'USD', 1n, '0.01'],
  ['0.0049999', 'USD', 0n, '0.0'],
  ['1200', 'JPY', 1200n, '1200.0'],
  ['1200.5', 'JPY', 1201n, '1201.0'],
  ['1.2345', 'KWD', 1235n, '1.235'],
  ['90071992547409.93', 'USD', 9007199254740993n, '90071992547409.93'],
])('%s %s is %d units, written %s', (text, currency, units, written) => {
  expect(toMinorUnits(parseDecimal(text), currency)).toBe(units);
  expect(formatMinorUnits(units, currency)).toBe(written);
});
