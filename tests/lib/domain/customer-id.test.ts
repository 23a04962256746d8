import { expect, test } from '@jest/globals';
import { parseCustomerId } from '../../../lib/domain/customer-id.ts';

test.each([
  0,
  -1,
  1.5,
  Number.NaN,
  2 ** 53,
  '0',
  '01',
  '1.0',
  '1e3',
  ' 1',
  '-1',
  '9007199254740993',
  null,
  {},
  true,
])('refuses %p', (value) => {
  expect(parseCustomerId(value)).toBeUndefined();
});

test('takes a positive safe integer or its decimal string', () => {
  expect(parseCustomerId(7001001)).toBe(7001001);
  expect(parseCustomerId('7001001')).toBe(7001001);
});
