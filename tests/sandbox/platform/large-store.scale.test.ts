/** A store of ten thousand subscriptions (a thousand in `npm test`): a move of the clock by a month takes seconds. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { isFullSize } from '../../full-size.ts';
import { harbor, type Json, startTestPlatform, type TestPlatform } from './running-platform.ts';

const CONTRACTS = isFullSize ? 10_000 : 1000;
const MONTH_SECONDS = 30 * 24 * 3600;

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform();
  await control('webhook-weather', { delaySeconds: 1e9 });
  await control('app-webhooks', { shop: harbor, uri: 'http://127.0.0.1:9/' });
  await control('settings', { shop: harbor, throttle: { maximumAvailable: 1e9, restoreRate: 1e9 } });
});
afterAll(() => platform.close());

async function control(path: string, body: object): Promise<Json> {
  const answer = await platform.control('POST', path, body);
  expect(answer).toMatchObject({ status: 200 });
  return answer.json;
}

async function ask(query: string): Promise<Json> {
  const response = await fetch(`${platform.url}/${harbor}/admin/api/2026-07/graphql.json`, {
    method: 'POST',
    headers: {
      ...{ 'user-agent': 'test client', 'content-type': 'application/json' },
      'x-shopify-access-token': platform.stores[0]?.accessToken ?? '',
    },
    body: JSON.stringify({ query }),
  });
  const { data, errors } = (await response.json()) as Json;
  expect(errors).toBeUndefined();
  return data;
}

const gid = (id: number) => `gid://shopify/SubscriptionContract/${id}`;
const idOf = (at: number) => 9_900_000 + at;

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work();
  return (performance.now() - startMs) / 1000;
}

/** Subscriptions whose first order was due an hour ago. */
async function seed(): Promise<void> {
  const nowMs = Date.parse((await platform.control('GET', 'clock')).json.now);
  const createdMs = nowMs - 3_600_000 - 7 * 86_400_000;
  const { customers } = await control('seed', { shop: harbor, customers: 100 });
  const { products } = await ask(
    '{ products(first: 1) { nodes { variants(first: 1) { nodes { legacyResourceId } } sellingPlanGroups(first: 1) { nodes { sellingPlans(first: 1) { nodes { id } } } } } } }',
  );
  const [product] = products.nodes;
  const planId = Number(product.sellingPlanGroups.nodes[0].sellingPlans.nodes[0].id.split('/').at(-1));
  const variantId = Number(product.variants.nodes[0].legacyResourceId);
  const subscriptions = Array.from({ length: CONTRACTS }, (_, at) => ({
    ...{ id: idOf(at), customerId: customers[at % customers.length].id, createdMs, planId },
    lines: [[variantId, 1]],
  }));
  for (let from = 0; from < CONTRACTS; from += 1000)
    await control('seed', { shop: harbor, subscriptions: subscriptions.slice(from, from + 1000) });
}

/** Finds the orders of two days, page by page. */
async function search(): Promise<number> {
  const nowMs = Date.parse((await platform.control('GET', 'clock')).json.now);
  const [startDate, endDate] = [-1, 1].map((days) => new Date(nowMs + days * 86_000_000).toISOString());
  const { started } = await ask(
    `mutation { started: subscriptionBillingCycleBulkSearch(billingAttemptExpectedDateRange: { startDate: "${startDate}", endDate: "${endDate}" }, filters: { billingCycleStatus: [UNBILLED] }) { job { id } } }`,
  );
  let count = 0;
  for (let after = ''; ; ) {
    const page = `jobId: "${started.job.id}", first: 100${after}`;
    const { results } = await ask(
      `{ results: subscriptionBillingCycleBulkResults(${page}) { nodes { cycleIndex sourceContract { id status lines(first: 5) { nodes { currentPrice { amount } } } } } pageInfo { hasNextPage endCursor } } }`,
    );
    count += results.nodes.length;
    if (!results.pageInfo.hasNextPage) return count;
    after = `, after: "${results.pageInfo.endCursor}"`;
  }
}

async function charge(): Promise<void> {
  for (let from = 0; from < CONTRACTS; from += 10) {
    const mutations = Array.from({ length: 10 }, (_, at) => {
      const id = idOf(from + at);
      return `a${at}: subscriptionBillingAttemptCreate(subscriptionContractId: "${gid(id)}", subscriptionBillingAttemptInput: { idempotencyKey: "${id}", billingCycleSelector: { index: 1 }, inventoryPolicy: ALLOW_OVERSELLING }) { userErrors { code } }`;
    });
    const data = await ask(`mutation { ${mutations.join(' ')} }`);
    expect(Object.values<Json>(data).flatMap(({ userErrors }) => userErrors)).toEqual([]);
  }
}

test(`moves the clock by a month, with ${CONTRACTS} charges that end and changes by another server`, async () => {
  const seconds: Record<string, number> = {};
  seconds.seed = await secondsOf(seed);
  let foundCount = 0;
  seconds.search = await secondsOf(async () => {
    foundCount = await search();
  });
  expect(foundCount).toBeGreaterThanOrEqual(CONTRACTS);
  await control('settings', { shop: harbor, chargeDelaySeconds: 300 });
  // A tenth is never confirmed (3-D Secure), and the cards of another tenth have expired.
  const steps = [
    { answer: 'ACTION_REQUIRED', count: CONTRACTS / 10, confirmSeconds: 10 * 24 * 3600 },
    { answer: 'EXPIRED_PAYMENT_METHOD', count: CONTRACTS / 10 },
    { answer: 'PAYS' },
  ];
  await control('outcomes', { shop: harbor, steps });
  seconds.charge = await secondsOf(charge);
  const nowMs = Date.parse((await platform.control('GET', 'clock')).json.now);
  const requests = Array.from({ length: 1000 }, (_, at) => ({
    at: new Date(nowMs + (at + 1) * 2_500_000).toISOString(),
    query: `mutation { subscriptionContractPause(subscriptionContractId: "${gid(idOf(at))}") { userErrors { code } } }`,
  }));
  await control('other-server', { shop: harbor, requests });
  seconds.month = await secondsOf(() => control('clock', { advance: MONTH_SECONDS }));
  seconds.read = await secondsOf(() => ask(`{ subscriptionContract(id: "${gid(idOf(1))}") { status } }`));
  const { deliveries } = (await platform.control('GET', 'webhooks')).json;
  const counts = Object.groupBy(deliveries as Json[], ({ topic }) => topic);
  expect(counts['subscription_billing_attempts/success']).toHaveLength(0.8 * CONTRACTS);
  expect(counts['subscription_billing_attempts/failure']).toHaveLength(0.2 * CONTRACTS);
  expect(counts['subscription_contracts/pause']).toHaveLength(1000);
  if (!isFullSize) return;
  console.info(JSON.stringify(seconds));
  expect(seconds.month).toBeLessThan(20);
});
