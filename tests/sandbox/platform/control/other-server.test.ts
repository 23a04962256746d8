/** The app's other server: it changes subscriptions at given times, and the platform reports that by webhooks alone. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { askAdmin, harbor, type Json, startTestPlatform, type TestPlatform } from '../running-platform.ts';

const HOUR_MS = 3_600_000;
const contract = 'gid://shopify/SubscriptionContract/9101001';
const method = 'gid://shopify/CustomerPaymentMethod/';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform();
});
beforeEach(async () => {
  await platform.control('POST', 'reset');
  await control('webhook-weather', { delaySeconds: 1e9 });
  await control('app-webhooks', { shop: harbor, uri: 'http://127.0.0.1:9/' });
  // The first comparison has nothing to compare with.
  await control('webhooks', {});
});
afterAll(() => platform.close());

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

const nowMs = async () => Date.parse((await platform.control('GET', 'clock')).json.now);

/** Lets the other server send each mutation so many hours from now. */
async function plan(mutations: readonly (readonly [hours: number, mutation: string])[]): Promise<void> {
  const startMs = await nowMs();
  const requests = mutations.map(([hours, mutation]) => ({
    at: new Date(startMs + hours * HOUR_MS).toISOString(),
    query: `mutation { ${mutation} }`,
  }));
  await control('other-server', { shop: harbor, requests });
}

const change = (name: string) =>
  `subscriptionContract${name}(subscriptionContractId: "${contract}") { userErrors { code } }`;
const ofCycle = (name: string, index: number) =>
  `subscriptionBillingCycle${name}(billingCycleInput: { contractId: "${contract}", selector: { index: ${index} } }`;
const charge = (index: number) =>
  `subscriptionBillingAttemptCreate(subscriptionContractId: "${contract}", subscriptionBillingAttemptInput: { idempotencyKey: "job-${index}", billingCycleSelector: { index: ${index} } }) { userErrors { code } }`;

async function topics(): Promise<string[]> {
  const { deliveries } = (await platform.control('GET', 'webhooks')).json;
  return deliveries.filter(({ body }: Json) => body.includes('9101001')).map(({ topic }: Json) => topic);
}

const state = async () =>
  await ask(
    `{ subscriptionContract(id: "${contract}") { status customerPaymentMethod { id } } subscriptionBillingCycles(contractId: "${contract}", first: 3, billingCyclesIndexRangeSelector: { startIndex: 7, endIndex: 9 }) { nodes { status skipped billingAttemptExpectedDate } } }`,
  );

describe('the other server of the app', () => {
  test('charges an order at its time, and the attempt has that time', async () => {
    await plan([[96, charge(7)]]);
    const startMs = await nowMs();
    expect((await state()).subscriptionBillingCycles.nodes[0].status).toBe('UNBILLED');
    await control('clock', { advance: 30 * 24 * 3600 });
    const { subscriptionBillingCycles, subscriptionBillingAttempts } = await ask(
      `{ subscriptionBillingCycles(contractId: "${contract}", first: 1, billingCyclesIndexRangeSelector: { startIndex: 7, endIndex: 7 }) { nodes { status } } subscriptionBillingAttempts(first: 1, reverse: true, sortKey: ID) { nodes { idempotencyKey createdAt completedAt state { __typename } } } }`,
    );
    expect(subscriptionBillingCycles.nodes).toEqual([{ status: 'BILLED' }]);
    const [attempt] = subscriptionBillingAttempts.nodes;
    expect(attempt).toMatchObject({
      idempotencyKey: 'job-7',
      completedAt: attempt.createdAt,
      state: { __typename: 'SubscriptionBillingAttemptSuccessState' },
    });
    expect(Math.abs(Date.parse(attempt.createdAt) - startMs - 96 * HOUR_MS)).toBeLessThan(60_000);
    expect(await topics()).toEqual(['subscription_billing_attempts/success']);
  });

  test('skips, moves and pauses, and each change has its webhook though the clock moves in one step', async () => {
    const { subscriptionBillingCycles } = await state();
    const earlier = Date.parse(subscriptionBillingCycles.nodes[1].billingAttemptExpectedDate) - HOUR_MS;
    await plan([
      [2, `${ofCycle('Skip', 7)}) { userErrors { message } }`],
      [
        3,
        `${ofCycle('ScheduleEdit', 8)}, input: { reason: DEV_INITIATED, billingDate: "${new Date(earlier).toISOString()}" }) { userErrors { code } }`,
      ],
      [4, change('Pause')],
      [5, change('Activate')],
    ]);
    await control('clock', { advance: 6 * 3600 });
    const after = await state();
    expect(after.subscriptionContract.status).toBe('ACTIVE');
    expect(after.subscriptionBillingCycles.nodes[0].skipped).toBe(true);
    expect(Date.parse(after.subscriptionBillingCycles.nodes[1].billingAttemptExpectedDate)).toBe(earlier);
    expect(await topics()).toEqual([
      'subscription_billing_cycles/skip',
      'subscription_billing_cycle_edits/create',
      'subscription_contracts/pause',
      'subscription_contracts/activate',
    ]);
  });

  test('finds an order that is being charged when a charge ends later than its request, though earlier than the clock’s move', async () => {
    await control('settings', { shop: harbor, chargeDelaySeconds: 7200 });
    await plan([
      [96, charge(7)],
      [96.5, change('Pause')],
      [97, `${ofCycle('Skip', 7)}) { userErrors { message } }`],
      [99, `${ofCycle('Skip', 7)}) { userErrors { message } }`],
    ]);
    await control('clock', { advance: 30 * 24 * 3600 });
    const sent = (await platform.control('GET', 'other-server')).json;
    expect(
      sent.slice(2).map(({ response }: Json) => response.data.subscriptionBillingCycleSkip.userErrors),
    ).toEqual([
      [{ message: 'Billing cycle has incomplete billing attempts in progress' }],
      [{ message: 'Billing cycle is already billed' }],
    ]);
    await control('settings', { shop: harbor, chargeDelaySeconds: 0 });
  });

  test('enters another card, which the platform reports as an update of the payment method', async () => {
    const { id } = (await state()).subscriptionContract.customerPaymentMethod;
    expect(id).toContain(method);
    await plan([
      [
        1,
        `customerPaymentMethodCreditCardUpdate(id: "${id}", sessionId: "card-visa-1881-09-2031", billingAddress: { address1: "1 Main Street", city: "Portland", countryCode: US, provinceCode: "ME", zip: "04101", firstName: "Ada", lastName: "Bell" }) { userErrors { message } processing }`,
      ],
    ]);
    await control('clock', { advance: 3600 });
    const { deliveries } = (await platform.control('GET', 'webhooks')).json;
    expect(deliveries.map(({ topic }: Json) => topic)).toEqual(['customer_payment_methods/update']);
  });

  test('leaves no request in the list of the service’s requests, and uses none of its points', async () => {
    await control('settings', { shop: harbor, throttle: { maximumAvailable: 30, restoreRate: 1 } });
    await platform.control('DELETE', 'requests');
    await plan(
      [1, 2, 3, 4, 5].map((hours) => [hours, change(hours % 2 === 1 ? 'Pause' : 'Activate')] as const),
    );
    await control('clock', { advance: 5 * 3600 });
    const sent = (await platform.control('GET', 'other-server')).json;
    expect(sent.map(({ response }: Json) => Object.values<Json>(response.data)[0].userErrors)).toEqual([
      ...[[], [], [], [], []],
    ]);
    expect((await platform.control('GET', 'requests')).json).toEqual([]);
  });

  test.each([
    [{ requests: [{ at: 'tomorrow', query: '{ shop { id } }' }] }, /"at" is an instant/],
    [{ requests: [{ at: '2027-01-31T08:00:00Z' }] }, /"query" is a document/],
    [{ requests: {} }, /"requests" is a list/],
    [{ requests: [{ at: '2027-01-31T08:00:00Z', query: '{ shop { id } }', key: 1 }] }, /"key" is not known/],
  ])('refuses a plan that is wrong: %j', async (body, expected) => {
    const { status, json } = await platform.control('POST', 'other-server', { shop: harbor, ...body });
    expect({ status, error: json.error }).toEqual({ status: 400, error: expect.stringMatching(expected) });
  });
});
