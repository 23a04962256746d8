import { expect, test } from '@jest/globals';
import { redactSecrets } from '../../../lib/observability/redact-secrets.ts';

test('secrets are taken out by name, at any depth', () => {
  const fields = {
    headers: { Authorization: 'x' },
    tokens: [{ refreshToken: 'y', visible: 'z' }],
    code: 'c',
  };
  expect(redactSecrets(fields)).toEqual({
    headers: { Authorization: '[redacted]' },
    tokens: [{ refreshToken: '[redacted]', visible: 'z' }],
    code: '[redacted]',
  });
});

test('secrets are taken out by their shape, within a text', () => {
  const text =
    'sent SVC_RT_abc-DEF_1 and shpat_0123 and Bearer abc and eyJhbGciOi.eyJzdWIi.c2ln and whsec_a+b/c= to us';
  expect(redactSecrets({ text }).text).toBe(
    'sent [redacted] and [redacted] and [redacted] and [redacted] and [redacted] to us',
  );
});

test('other values pass', () => {
  expect(redactSecrets({ a: 1, b: true, c: null, d: ['x'] })).toEqual({ a: 1, b: true, c: null, d: ['x'] });
});
