/** Checks the excerpt of a body that the demo prints: enough to follow the demo, but no usable secret. */
import { expect, test } from '@jest/globals';
import { shortenSecret, shortenValue } from '../../sandbox/demo/shorten.ts';

test.each(['verifier', 'nonce', 'state', 'code', 'accessToken', 'refreshToken'])('%s is cut', (name) => {
  const secret = 'kWq8s7Jh2mZ0pLx5';
  expect(shortenValue({ [name]: secret })).toEqual({ [name]: '…pLx5' });
});

test('a token keeps its kind and its last four characters, a short secret nothing', () => {
  expect(shortenSecret('SVC_CT_abcdefghijklmnop')).toBe('SVC_CT_…mnop');
  expect(shortenSecret('Bearer SVC_AT_abcdefghijklmnop')).toBe('Bearer SVC_AT_…mnop');
  expect(shortenSecret('123456')).toBe('…');
});

test('the code of an error stays readable', () => {
  expect(shortenValue({ error: { code: 'INVALID_REFRESH_TOKEN' } })).toEqual({
    error: { code: 'INVALID_REFRESH_TOKEN' },
  });
});

test('the address of a sign-in is shown without its query', () => {
  const authUrl = 'http://127.0.0.1:4000/authentication/1/oauth/authorize?state=secret';
  expect(shortenValue({ authUrl })).toEqual({
    authUrl: 'http://127.0.0.1:4000/authentication/1/oauth/authorize?…',
  });
});

test('long lists and texts are cut with a word on it, queries put on one line', () => {
  expect(shortenValue([1, 2, 3, 4, 5])).toEqual([1, 2, '… 3 more']);
  expect(shortenValue({ message: 'x'.repeat(100) })).toEqual({ message: `${'x'.repeat(72)}…` });
  expect(shortenValue({ query: 'query {\n  shop {\n    name\n  }\n}' })).toEqual({
    query: 'query { shop { name } }',
  });
});
