/** The page of `npm start` that shows what a merchant's endpoint received. */
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createWebhookSecret, signWebhook } from '../../lib/webhooks/webhook-secret.ts';
import {
  type MerchantEndpoint,
  startMerchantEndpoint,
} from '../../sandbox/local/webhooks/merchant-endpoint.ts';
import { expectAccessible } from './accessible.ts';
import { browser } from './shared-web-app.ts';

let endpoint: MerchantEndpoint;
beforeEach(async () => {
  endpoint = await startMerchantEndpoint(Date.now);
});
afterEach(() => endpoint.close());

test('the page of a merchant’s endpoint can be read and used by everybody, empty and full, and says what it answers', async () => {
  const secrets = [createWebhookSecret(randomBytes)] as const;
  endpoint.setSecret(secrets[0]);
  const page = await browser.newPage();
  await page.goto(endpoint.url);
  await expectAccessible(page);
  await page.getByRole('radio', { name: 'fail: 500' }).check();
  await page.getByRole('button', { name: 'Answer so from now on' }).click();
  for (const id of ['e-1', 'e-2', 'e-1']) {
    const data = { contractId: 'gid://platform/SubscriptionContract/9101001', changes: 'x'.repeat(400) };
    const body = JSON.stringify({ type: 'subscription.payment_method_changed', data });
    const headers = id === 'e-2' ? {} : signWebhook({ id, body, secrets: [...secrets], nowMs: Date.now() });
    await fetch(endpoint.hooksUrl, { method: 'POST', headers, body });
  }
  await page.getByRole('link', { name: 'Look again' }).click();
  expect(await page.getByRole('radio', { name: 'fail: 500' }).isChecked()).toBe(true);
  await page.locator('summary').first().click();
  await expectAccessible(page);
  await page.close();
});
