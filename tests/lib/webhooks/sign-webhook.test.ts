import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import {
  createWebhookSecret,
  parseWebhookSecret,
  signWebhook,
} from '../../../lib/webhooks/webhook-secret.ts';

const FIVE_MINUTES_MS = 300_000;
const secrets = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => createWebhookSecret(() => bytes));
const attempts = fc.record({
  id: fc.stringMatching(/^[a-z0-9_]{1,40}$/),
  body: fc.json(),
  secrets: fc.uniqueArray(secrets, { minLength: 1, maxLength: 2 }),
});
const stranger = createWebhookSecret(randomBytes);

test('the package standardwebhooks verifies what is signed, with each secret, and nothing else', () => {
  fc.assert(
    fc.property(attempts, fc.nat(), (attempt, at) => {
      const nowMs = Date.now();
      const headers = signWebhook({ ...attempt, nowMs });
      const verify = (secret: string, body = attempt.body, changed = {}) =>
        new Webhook(secret).verify(body, { ...headers, ...changed });
      for (const secret of attempt.secrets) {
        expect(verify(secret)).toEqual(JSON.parse(attempt.body));
        const old = signWebhook({ ...attempt, nowMs: nowMs - FIVE_MINUTES_MS - 2000 });
        expect(() => verify(secret, attempt.body, old)).toThrow('Message timestamp too old');
        for (const changed of [
          { 'webhook-id': `${attempt.id}0` },
          { 'webhook-timestamp': `${Number(headers['webhook-timestamp']) - 1}` },
        ])
          expect(() => verify(secret, attempt.body, changed)).toThrow('No matching signature');
        expect(() => verify(secret, changeByte(attempt.body, at))).toThrow('No matching signature');
      }
      expect(() => verify(stranger)).toThrow('No matching signature');
    }),
    { numRuns: 50, seed: 19 },
  );
});

test('a secret has one form', () => {
  expect(parseWebhookSecret(stranger)).toBe(stranger);
  for (const text of [
    '',
    'whsec_',
    `${stranger}A`,
    stranger.slice(6),
    `x${stranger}`,
    `whsec_${'-'.repeat(44)}`,
  ])
    expect(parseWebhookSecret(text)).toBeUndefined();
});

/** The text with one of its characters replaced by the next. */
function changeByte(text: string, at: number): string {
  const index = at % text.length;
  return `${text.slice(0, index)}${String.fromCharCode(text.charCodeAt(index) ^ 1)}${text.slice(index + 1)}`;
}
