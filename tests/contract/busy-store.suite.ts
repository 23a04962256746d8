/**
 * Many customers of one store send requests concurrently, while its own server works: each is served or gets a
 * Retry-After.
 */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Answer, again, askOnce, signIn, type Tokens } from './world/service-client.ts';
import { stack } from './world/shared-stack.ts';

const CUSTOMERS = 20;
const ROUNDS = 3;
/** The platform's response has to arrive within this time; after it, no client waits. */
const DEADLINE_MS = 20_000;

const SUBSCRIPTIONS = `query ($id: ID!) {
  customer(id: $id) {
    id
    subscriptionContracts(first: 20) { nodes { id lines(first: 10) { nodes { id title variantImage { url } } } orders(first: 5) { nodes { id name } } } }
  }
}`;
const CONTRACTS = '{ subscriptionContracts(first: 20) { nodes { id status } } }';

let customers: Tokens[];
describe('a busy store', () => {
  beforeAll(async () => {
    const { customers: added } = await stack.control.seed({ customers: CUSTOMERS });
    customers = await Promise.all(added.map(({ email }) => signIn(stack, email)));
  });

  /** A response about a busy store is the result here; a response of a busy machine is requested again. */
  const UNAVAILABLE = [503];
  const askAsCustomer = ({ accessToken, customerId }: Tokens) => {
    const variables = { id: `gid://platform/Customer/${customerId}` };
    const request = { bearer: accessToken, query: SUBSCRIPTIONS, variables };
    return again(() => askOnce(stack, 'customer', request), UNAVAILABLE);
  };
  const askAsServer = () =>
    again(() => askOnce(stack, 'admin', { bearer: stack.adminKey, query: CONTRACTS }), UNAVAILABLE);

  function expectDataOrRetry({ status, headers, body, text }: Answer): void {
    if (status === 429) {
      expect(body).toMatchObject({ errors: [{ extensions: { code: 'THROTTLED' } }] });
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      // A longer time than the refill of an empty bucket is wrong.
      expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60);
      return;
    }
    expect([status, text]).toEqual([200, expect.stringContaining('"data":{"customer":{"id"')]);
    expect(body).not.toHaveProperty('errors');
  }

  /** All customers concurrently, each with its next request right after the response. */
  async function hammer(): Promise<Answer[]> {
    const requesting = customers.map(async (customer) => {
      const answers: Answer[] = [];
      for (let round = 0; round < ROUNDS; round++) answers.push(await askAsCustomer(customer));
      return answers;
    });
    return (await Promise.all(requesting)).flat();
  }

  async function workAsServer(): Promise<Answer[]> {
    const answers: Answer[] = [];
    for (let call = 0; call < 5; call++) {
      answers.push(await askAsServer());
    }
    return answers;
  }

  test("the server's calls go through while 20 customers ask all at once", async () => {
    await stack.control.clearRequests();
    const startedAtMs = Date.parse(await stack.control.now());
    const [requests, worked] = await Promise.all([hammer(), workAsServer()]);
    for (const answer of requests) expectDataOrRetry(answer);
    expect(requests.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    for (const { status, text } of worked) {
      expect([status, text]).toEqual([200, expect.stringContaining('"status"')]);
    }
    const times = (await stack.control.requests()).map(({ at }) => Date.parse(at) - startedAtMs);
    expect(Math.max(...times)).toBeLessThan(5 * DEADLINE_MS);
  });

  test('whoever is told to come back is served after that time', async () => {
    // The platform says that the bucket is empty: the service knows it from there on.
    await stack.control.faults({ target: 'admin', count: 12, throttle: true });
    const requests = await Promise.all(
      customers.map(async (customer) => ({ customer, answer: await askAsCustomer(customer) })),
    );
    await stack.control.clearFaults();
    for (const { answer } of requests) expectDataOrRetry(answer);
    const reported = requests
      .map(({ customer, answer }) => ({ customer, seconds: Number(answer.headers.get('retry-after') ?? 0) }))
      // A customer who was already served has to wait for all of them.
      .filter(({ seconds }) => seconds > 0)
      .sort((one, other) => one.seconds - other.seconds);
    expect(reported).not.toEqual([]);
    let passed = 0;
    for (const { customer, seconds } of reported) {
      if (seconds > passed) await stack.control.clock({ advance: seconds - passed });
      passed = seconds;
      const { status, text } = await askAsCustomer(customer);
      expect([status, text]).toEqual([200, expect.stringContaining('"data":{"customer":{"id"')]);
    }
  });
});
