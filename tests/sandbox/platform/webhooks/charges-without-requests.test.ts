/** A charge that ends while no one sends a request: its webhook is sent at its end. */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createAdminApi } from '../../../../sandbox/platform/admin/endpoint/admin-api.ts';
import { createSeededState } from '../../../../sandbox/platform/state/seed/seed.ts';
import { KNOWN_TOPICS } from '../../../../sandbox/platform/state/webhook-topics.ts';
import { NO_WEBHOOK_FAULTS } from '../../../../sandbox/platform/webhooks/webhook-queue.ts';
import { createWebhooks } from '../../../../sandbox/platform/webhooks/webhooks.ts';
import { dayMs, harbor, startMs, weekly } from '../admin/harness.ts';

const clock = { now: () => Date.now() };
const origin = 'http://127.0.0.1:9';

beforeEach(() => {
  jest.useFakeTimers({ now: startMs + 5 * dayMs });
});
afterEach(() => {
  jest.useRealTimers();
});

async function startCharge(answer: string) {
  const state = createSeededState({ nowMs: startMs });
  const store = state.stores.get(harbor);
  if (store === undefined) throw new Error('no store');
  store.outcomes = [{ answer, delaySeconds: 300, confirmSeconds: 3600 }];
  store.appWebhooks = { uri: origin, topics: [...KNOWN_TOPICS], complianceTopics: [], apiVersion: '2026-07' };
  const parts = { state: () => state, clock };
  const webhooks = createWebhooks({ ...parts, origin, grants: new Map(), onChange: () => undefined });
  webhooks.webhookQueue.setRandomFaults({ ...NO_WEBHOOK_FAULTS, isHeld: true });
  webhooks.enqueueChanges(harbor);
  const api = createAdminApi({ ...parts, origin: () => origin });
  const query = `mutation { subscriptionBillingAttemptCreate(subscriptionContractId: "${weekly}",
    subscriptionBillingAttemptInput: { idempotencyKey: "k", billingCycleSelector: { index: 7 } }) { userErrors { message } } }`;
  const headers = { 'x-shopify-access-token': store.accessToken };
  const { body } = await api.handle({
    shop: harbor,
    version: '2026-07',
    headers,
    body: JSON.stringify({ query }),
  });
  expect(JSON.parse(body).data.subscriptionBillingAttemptCreate.userErrors).toEqual([]);
  webhooks.enqueueChanges(harbor);
  return () =>
    webhooks.webhookQueue
      .list()
      .map(({ webhook: { topic, triggeredAt } }) => [topic, (Date.parse(triggeredAt) - startMs) / 1000])
      .filter(([topic]) => String(topic).startsWith('subscription_billing_attempts/'));
}

test('sends the webhook when a pending charge ends', async () => {
  const listSent = await startCharge('PAYS');
  jest.advanceTimersByTime(299_000);
  expect(listSent()).toEqual([]);
  jest.advanceTimersByTime(2000);
  expect(listSent()).toEqual([['subscription_billing_attempts/success', 5 * 86_400 + 300]]);
});

test('sends the webhook when a confirmation expires', async () => {
  const listSent = await startCharge('ACTION_REQUIRED');
  jest.advanceTimersByTime(3_890_000);
  expect(listSent()).toEqual([]);
  jest.advanceTimersByTime(20_000);
  expect(listSent()).toEqual([['subscription_billing_attempts/failure', 5 * 86_400 + 3900]]);
});
