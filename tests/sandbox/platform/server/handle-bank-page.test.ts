/** 3-D Secure: the customer opens the page of the link, and confirms or refuses the payment. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { askAdmin, harbor, type Json, startTestPlatform, type TestPlatform } from '../running-platform.ts';

const CONTRACT = 9101001;
const ACTION = `state { ... on SubscriptionBillingAttemptActionRequiredState {
  action { ... on SubscriptionBillingAttemptPaymentChallenge { nextActionUrl status } } } }`;

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform();
});
beforeEach(async () => {
  await platform.control('POST', 'reset');
  await platform.control('POST', 'clock', { advance: 102 * 3600 });
  await platform.control('POST', 'app-webhooks', { shop: harbor, uri: 'http://127.0.0.1:9/webhooks' });
});
afterAll(() => platform.close());

async function ask(query: string): Promise<Json> {
  const { json } = await askAdmin(platform, query);
  expect(json.errors).toBeUndefined();
  return Object.values(json.data)[0];
}

/** Charges the due order with a card whose bank asks for a confirmation. Returns the attempt's id. */
async function charge(): Promise<string> {
  await platform.control('POST', 'card', {
    shop: harbor,
    contractId: CONTRACT,
    answers: ['ACTION_REQUIRED'],
  });
  const input = '{ idempotencyKey: "k", billingCycleSelector: { index: 7 } }';
  const payload = await ask(`mutation { subscriptionBillingAttemptCreate(
    subscriptionContractId: "gid://shopify/SubscriptionContract/${CONTRACT}", subscriptionBillingAttemptInput: ${input}
  ) { subscriptionBillingAttempt { id } userErrors { message } } }`);
  return payload.subscriptionBillingAttempt.id;
}

const actionOf = async (id: string) =>
  (await ask(`{ subscriptionBillingAttempt(id: "${id}") { ${ACTION} } }`)).state.action;

async function attemptTopics(): Promise<string[]> {
  const { deliveries } = (await platform.control('GET', 'webhooks')).json;
  const topics: string[] = deliveries.map(({ topic }: Json) => topic);
  return topics.filter((topic) => topic.startsWith('subscription_billing_attempts/'));
}

test('the webhook `challenged` is sent when the customer opens the link, and not before', async () => {
  const id = await charge();
  const { nextActionUrl, status } = await actionOf(id);
  await platform.control('POST', 'clock', { advance: 86_400 });
  await platform.control('POST', 'webhooks', {});
  expect([status, await attemptTopics()]).toEqual(['OFF_SESSION_REJECTED', []]);
  for (let times = 0; times < 2; times++) await fetch(nextActionUrl);
  expect((await actionOf(id)).status).toBe('ON_SESSION_CHALLENGED');
  expect(await attemptTopics()).toEqual(['subscription_billing_attempts/challenged']);
  await fetch(nextActionUrl, { method: 'POST', body: new URLSearchParams({ answer: 'confirm' }) });
  expect(await attemptTopics()).toEqual([
    'subscription_billing_attempts/challenged',
    'subscription_billing_attempts/success',
  ]);
});
