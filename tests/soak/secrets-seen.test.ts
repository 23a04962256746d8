import { expect, test } from '@jest/globals';
import { createSecretsSeen } from './secrets-seen.ts';

const seen = createSecretsSeen();
seen.add('jN4-k_0aQ2xw7LmZ', 'short');

test.each([
  ['alone', 'jN4-k_0aQ2xw7LmZ'],
  ['in JSON', '{"code":"jN4-k_0aQ2xw7LmZ"}'],
  ['in an address', 'https://a.example/?code=jN4-k_0aQ2xw7LmZ&state=1'],
])('a secret is found %s, and not given away', (_where, text) => {
  expect(seen.findIn(text)).toEqual(['jN4-k_0a…']);
});

test('every token of the service is found, also one nobody has seen', () => {
  expect(seen.findIn(`Bearer SVC_RT_${'A'.repeat(40)}`)).toHaveLength(1);
});

test('anything else is not', () => {
  expect(seen.findIn('short SVC_RT_… jN4-k_0aQ2xw7LmX')).toEqual([]);
});
