/** The platform's signed webhooks to the app's server, with retries; a receiver like an app's server listens. */
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { askAdmin, harbor, type Json, startTestPlatform, type TestPlatform } from '../running-platform.ts';

type Received = { readonly headers: IncomingHttpHeaders; readonly body: string };

let platform: TestPlatform;
let receiver: Server;
let uri: string;
let received: Received[] = [];
let status = 200;

beforeAll(async () => {
  platform = await startTestPlatform();
  receiver = createServer(async (message, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk);
    received.push({ headers: message.headers, body: Buffer.concat(chunks).toString() });
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  uri = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/platform/webhooks`;
});
beforeEach(async () => {
  await platform.control('POST', 'reset');
  await control('webhook-weather', { isHeld: true });
  received = [];
  status = 200;
});
afterAll(async () => {
  receiver.close();
  await platform.close();
});

const contract = 'gid://shopify/SubscriptionContract/9101001';
const pause = `mutation { subscriptionContractPause(subscriptionContractId: "${contract}") { userErrors { message } } }`;

async function control(path: string, body: object): Promise<Json> {
  const answer = await platform.control('POST', path, body);
  expect(answer).toMatchObject({ status: 200 });
  return answer.json;
}

async function ask(query: string): Promise<Json> {
  const { json } = await askAdmin(platform, query);
  expect((json as Json).errors).toBeUndefined();
  return (json as Json).data;
}

async function subscribe(topic: string): Promise<Json> {
  const input = `topic: ${topic}, webhookSubscription: { uri: "${uri}" }`;
  const fields = 'webhookSubscription { id uri topic } userErrors { field message }';
  return (await ask(`mutation { webhookSubscriptionCreate(${input}) { ${fields} } }`))
    .webhookSubscriptionCreate;
}

const send = () => control('webhooks', {});
const topics = () => received.map(({ headers }) => headers['x-shopify-topic']).sort();
const named = () => control('app-webhooks', { shop: harbor, uri });

async function clientSecret(): Promise<string> {
  return (await control('app', { shop: harbor })).client_secret;
}

function isSignedWith({ headers, body }: Received, key: string): boolean {
  return headers['x-shopify-hmac-sha256'] === createHmac('sha256', key).update(body).digest('base64');
}

test('without a subscription nothing is sent', async () => {
  await ask(pause);
  await send();
  expect(received).toEqual([]);
});

test('a pause arrives once, signed, with the headers and the body that are documented', async () => {
  expect(await subscribe('SUBSCRIPTION_CONTRACTS_PAUSE')).toMatchObject({ userErrors: [] });
  await ask(pause);
  await send();
  await send();
  expect(topics()).toEqual(['subscription_contracts/pause']);
  const [one] = received as [Received];
  expect(isSignedWith(one, await clientSecret())).toBe(true);
  expect(one.headers).toMatchObject({
    'x-shopify-shop-domain': harbor,
    'x-shopify-api-version': '2026-07',
    'x-shopify-webhook-id': expect.any(String),
    'x-shopify-event-id': expect.any(String),
    'x-shopify-triggered-at': expect.any(String),
  });
  expect(JSON.parse(one.body)).toMatchObject({
    admin_graphql_api_id: contract,
    status: 'paused',
    revision_id: expect.any(String),
  });
});

describe('every change brings its topic', () => {
  const cycle = (index: number) =>
    `billingCycleInput: { contractId: "${contract}", selector: { index: ${index} } }`;
  const skip = (action: 'Skip' | 'Unskip') =>
    `mutation { subscriptionBillingCycle${action}(${cycle(9)}) { userErrors { message } } }`;
  const move = (date: string) =>
    `mutation { subscriptionBillingCycleScheduleEdit(${cycle(9)}, input: { reason: DEV_INITIATED, billingDate: "${date}" }) { userErrors { message } } }`;
  test.each([
    ['skip', [skip('Skip')], ['subscription_billing_cycles/skip']],
    [
      'skip, and back',
      [skip('Skip'), skip('Unskip')],
      ['subscription_billing_cycles/skip', 'subscription_billing_cycles/unskip'],
    ],
    [
      'cancel',
      [
        `mutation { subscriptionContractCancel(subscriptionContractId: "${contract}") { userErrors { message } } }`,
      ],
      ['subscription_contracts/cancel'],
    ],
  ])('%s', async (_name, changes, expected) => {
    await named();
    for (const change of changes) await ask(change);
    await send();
    expect(topics()).toEqual(expected);
  });

  test.each([
    ['success', ['subscription_billing_attempts/success']],
    ['failure', ['customer_payment_methods/revoke', 'subscription_billing_attempts/failure']],
  ])('sends the topics of a charge with %s', async (action, expected) => {
    await named();
    const moved = await ask(
      `{ subscriptionContract(id: "${contract}") { nextBillingDate customerPaymentMethod { id } } }`,
    );
    const { nextBillingDate, customerPaymentMethod } = moved.subscriptionContract;
    const hourBefore = new Date(Date.parse(nextBillingDate) - 3_600_000).toISOString();
    await control('clock', { now: hourBefore });
    const revoke = `mutation { customerPaymentMethodRevoke(customerPaymentMethodId: "${customerPaymentMethod.id}") { userErrors { message } } }`;
    if (action === 'failure') await ask(revoke);
    const made = await ask(
      `mutation { subscriptionBillingAttemptCreate(subscriptionContractId: "${contract}", subscriptionBillingAttemptInput: { idempotencyKey: "k" }) { userErrors { message } } }`,
    );
    expect(made.subscriptionBillingAttemptCreate.userErrors).toEqual([]);
    await send();
    expect(topics()).toEqual(expected);
  });

  test('sends the topics of an order that is moved, and moved again', async () => {
    await named();
    const data = await ask(`{ subscriptionBillingCycle(${cycle(9)}) { cycleStartAt cycleEndAt } }`);
    const end = Date.parse(data.subscriptionBillingCycle.cycleEndAt);
    for (const hours of [1, 2]) await ask(move(new Date(end - hours * 3_600_000).toISOString()));
    await send();
    expect(topics()).toEqual([
      'subscription_billing_cycle_edits/create',
      'subscription_billing_cycle_edits/update',
    ]);
  });

  test('sends scopes, the shop, the uninstallation, and 48 hours later the redaction of the shop', async () => {
    await named();
    await control('scopes', { shop: harbor, withheld: ['write_orders'] });
    await control('settings', { shop: harbor, plan: { isDevelopment: true, name: 'Developer Preview' } });
    await subscribe('SUBSCRIPTION_CONTRACTS_PAUSE');
    await control('app', { shop: harbor, isInstalled: false });
    await send();
    expect(topics()).toEqual(['app/scopes_update', 'app/uninstalled', 'shop/update']);
    expect((await platform.control('GET', 'webhooks')).json.subscriptions).toEqual([]);
    await control('clock', { advance: 48 * 3600 + 1 });
    await send();
    expect(topics()).toContain('shop/redact');
  });

  test('sends nothing that needs a scope without it', async () => {
    await named();
    const scopes = ['read_own_subscription_contracts', 'write_own_subscription_contracts'];
    await ask(pause);
    await control('scopes', { shop: harbor, withheld: scopes });
    await send();
    const refused = await askAdmin(
      platform,
      `mutation { webhookSubscriptionCreate(topic: SUBSCRIPTION_CONTRACTS_PAUSE, webhookSubscription: { uri: "${uri}" }) { userErrors { message } } }`,
    );
    expect(JSON.stringify(refused.json)).toContain('permission');
  });
});

test('eight more tries in four hours with the same id and body; then what the API made is gone, what the TOML names is not', async () => {
  await subscribe('SUBSCRIPTION_CONTRACTS_PAUSE');
  await named();
  status = 302;
  await ask(pause);
  await send();
  expect(received).toHaveLength(2);
  for (let hour = 0; hour < 8; hour++) {
    await control('clock', { advance: 91 * 60 });
    await send();
  }
  expect(received).toHaveLength(18);
  expect(new Set(received.map(({ headers }) => headers['x-shopify-webhook-id'])).size).toBe(2);
  expect(new Set(received.map(({ body }) => body)).size).toBe(1);
  const { deliveries, subscriptions } = (await platform.control('GET', 'webhooks')).json;
  expect(deliveries.map(({ state }: Json) => state)).toEqual(['given up', 'given up']);
  expect(subscriptions).toEqual([]);
});

test('a new secret signs half an hour later', async () => {
  await named();
  const before = await clientSecret();
  const { client_secret: after } = await control('app', { shop: harbor, newSecret: true });
  await ask(pause);
  await send();
  expect(received.map((each) => isSignedWith(each, before))).toEqual([true]);
  await control('clock', { advance: 1801 });
  await ask(
    `mutation { subscriptionContractActivate(subscriptionContractId: "${contract}") { userErrors { message } } }`,
  );
  await send();
  expect(isSignedWith(received.at(-1) as Received, after)).toBe(true);
});

test.each([
  ['dropped', { drop: 1 }, 0],
  ['doubled', { double: 1 }, 2],
])('all are %s', async (_name, faultProfile, count) => {
  await named();
  await control('webhook-weather', { ...faultProfile, isHeld: true });
  await ask(pause);
  await send();
  expect(received).toHaveLength(count);
  expect(new Set(received.map(({ headers }) => headers['x-shopify-webhook-id'])).size).toBe(
    Math.min(1, count),
  );
});

test('delays webhooks until the time comes', async () => {
  await named();
  await control('webhook-weather', { delaySeconds: 3600, isHeld: true });
  await ask(pause);
  await send();
  expect(received).toEqual([]);
  await control('clock', { advance: 3600 });
  await send();
  expect(received).toHaveLength(1);
});

test('sends a customer’s data request and redaction', async () => {
  await named();
  const { id, email } = platform.customers[0] as { id: number; email: string };
  for (const topic of ['customers/data_request', 'customers/redact'])
    await control('compliance', { shop: harbor, topic, customerId: id });
  await send();
  expect(topics()).toEqual(['customers/data_request', 'customers/redact']);
  for (const { body } of received)
    expect(JSON.parse(body)).toMatchObject({ shop_domain: harbor, customer: { id, email } });
});

test('sends a forgery as it is described', async () => {
  const forged = { uri, shop: harbor, topic: 'app/uninstalled', body: '{"id":1' };
  expect(await control('forged-webhook', forged)).toEqual({ status: 200 });
  const [one] = received as [Received];
  expect([one.body, isSignedWith(one, await clientSecret())]).toEqual(['{"id":1', false]);
});

test.each([
  ['webhook-weather', { drop: 'all' }, '"drop" is a number'],
  ['webhook-weather', { rain: 1 }, '"rain" is not known'],
  ['app-webhooks', { shop: harbor, uri: 'nowhere' }, '"uri"'],
  ['app-webhooks', { shop: harbor, uri: 'https://a.example', topics: ['orders/create'] }, '"topics"'],
  ['compliance', { shop: harbor, topic: 'shop/update' }, '"topic"'],
  ['compliance', { shop: harbor, topic: 'customers/redact', customerId: 1 }, '"customerId"'],
  ['forged-webhook', { shop: harbor }, '"uri"'],
])('%s %j is answered with a sentence', async (path, body, message) => {
  const answer = await platform.control('POST', path, body);
  expect([answer.status, answer.json.error]).toEqual([400, expect.stringContaining(message)]);
});
