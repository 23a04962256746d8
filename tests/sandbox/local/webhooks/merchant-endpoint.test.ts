import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createWebhookSecret, signWebhook } from '../../../../lib/webhooks/webhook-secret.ts';
import {
  type MerchantEndpoint,
  startMerchantEndpoint,
} from '../../../../sandbox/local/webhooks/merchant-endpoint.ts';

const secret = createWebhookSecret(randomBytes);
/**
 * The clock of the stack, which a test can move. It is stopped, because a busy machine takes seconds between signature
 * and check.
 */
let nowMs = Date.now();
const now = () => nowMs;
let endpoint: MerchantEndpoint;
beforeAll(async () => {
  endpoint = await startMerchantEndpoint(now);
  endpoint.setSecret(secret);
});
afterAll(() => endpoint.close());

const send = async (id: string, body: string, { by = secret, lateMs = 0 } = {}) => {
  const headers = signWebhook({ id, body, secrets: [by], nowMs: now() - lateMs });
  return (await fetch(endpoint.hooksUrl, { method: 'POST', headers, body })).status;
};
const choose = (answer: string) =>
  fetch(`${endpoint.url}/answer`, { method: 'POST', body: new URLSearchParams({ answer }) });
const page = async () => (await fetch(endpoint.url)).text();

test('shows what came, whether it is verified, and what it answered; texts of others are no markup', async () => {
  expect(await page()).toContain('Nothing yet');
  const body = JSON.stringify({ type: 'order.charged', data: { contractId: '<script>alert(1)</script>' } });
  expect(await send('e-1', body)).toBe(204);
  expect((await choose('fail')).status).toBe(200);
  expect(await send('e-1', body, { by: createWebhookSecret(randomBytes) })).toBe(500);
  const html = await page();
  expect(html).not.toContain('<script>alert');
  expect(html).toContain('order.charged');
  expect(html).toMatch(/<td>no<\/td><td>500, had it before<\/td>[\s\S]*<td>yes<\/td><td>204<\/td>/);
  expect(html).toContain('value="fail" checked');
});

test('answers as it is told, and to nothing that it does not know', async () => {
  await choose('gone');
  await choose('constructor');
  expect(await send('e-2', '{"type":"endpoint.test"}')).toBe(410);
  await choose('accept');
  expect(await send('e-3', 'no JSON')).toBe(204);
  expect((await fetch(`${endpoint.url}/elsewhere`)).status).toBe(404);
  expect(await (await fetch(`${endpoint.url}/received`)).json()).toHaveLength(4);
});

test('goes by the clock of the stack, wherever that was moved', async () => {
  nowMs += 40 * 86_400_000;
  const verified = async () =>
    ((await (await fetch(`${endpoint.url}/received`)).json()) as { isVerified: boolean }[])[0]?.isVerified;
  await send('e-4', '{"type":"endpoint.test"}');
  expect(await verified()).toBe(true);
  for (const lateMs of [301_000, -301_000]) {
    await send('e-5', '{"type":"endpoint.test"}', { lateMs });
    expect([lateMs, await verified()]).toEqual([lateMs, false]);
  }
});
