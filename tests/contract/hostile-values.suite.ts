/**
 * Any value in any place that a client controls is answered with a refusal that says what is wrong, and never with a
 * 5xx.
 */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { ROUTES } from '../../infra/definition/routes.ts';
import { ask, authorize, send, signIn, start, type Tokens } from './world/service-client.ts';
import { stack } from './world/shared-stack.ts';

/** A partition key takes 2,048 bytes, with the word before the value. */
const TEXTS = [
  ...['', ' ', '.', '..', 'null', '__proto__', '-1', '1e400', '\n', '\u0000', '\ud800', '\u202e', '%', '%00'],
  ...['#', '?', '../../../', '{shop}', "' OR 1=1", '9'.repeat(400), 'gid://platform/Customer/7001001?x=1'],
  ...[2_041, 2_044, 2_045, 2_048, 4_000].map((length) => 'x'.repeat(length)),
  `${'ü'.repeat(1_023)}`,
  `${'x'.repeat(2_030)}.myshopify.com`,
];
const VALUES = [null, true, 0, -1, 2 ** 53, 1.5, [], [TEXTS[0]], {}, { toString: 1 }, ...TEXTS] as const;
const ALL = ROUTES.map(({ path }) => path);

/** As many as there are processors: each one more starts an instance more of each function. */
const CONCURRENCY = 2;

/** Sends all, some at a time, and notes each answer of 5xx. */
async function expectNo5xx(all: readonly HostileRequest[]): Promise<void> {
  const failed: string[] = [];
  const queue = [...all];
  const worker = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [what, request] = next;
      const { status, text } = await request();
      if (status >= 500) failed.push(`${status} ${what.slice(0, 120)} → ${text.slice(0, 120)}`);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  expect(failed).toEqual([]);
}

const withParameter = (path: string, value: string) => path.replace(/\{\w+\}/, encodeURIComponent(value));
const HEADERS = [
  '__proto__',
  'Bearer',
  'Bearer SVC_AT_',
  "gid://platform/Customer/' OR 1=1",
  'ü',
  'x'.repeat(2_045),
];
type HostileRequest = readonly [what: string, ask: () => Promise<{ status: number; text: string }>];
const requestCount = (...each: HostileRequest): HostileRequest => each;

describe('hostile values', () => {
  let tokens: Tokens;
  beforeAll(async () => {
    tokens = await signIn(stack, 'ada@example.com');
  });

  test.each(ALL)('returns no 5xx for hostile values in the path of %s', async (path) => {
    const texts = path.includes('{') ? TEXTS.filter((text) => text.isWellFormed()) : [''];
    const body = { claimId: 'A'.repeat(22), proof: 'A'.repeat(43), domain: stack.shop, shop: stack.shop };
    await expectNo5xx([
      ...texts.flatMap((text) => [
        requestCount(`POST ${text}`, () => send(stack, withParameter(path, text), { body })),
        requestCount(`GET ${text}`, () => send(stack, withParameter(path, text), { method: 'GET' })),
      ]),
      ...['HEAD', 'OPTIONS', 'PUT', 'DELETE'].map((method) =>
        requestCount(method, () => send(stack, withParameter(path, 'x'.repeat(2_045)), { method })),
      ),
    ]);
  });

  test.each(ALL)('returns no 5xx for hostile values in the headers of %s', async (path) => {
    const body = { shop: stack.shop, query: '{ __typename }' };
    const names = path.includes('graphql.json') ? ['authorization', 'x-platform-customer-gid'] : ['origin'];
    await expectNo5xx(
      HEADERS.flatMap((text) =>
        names.map((name) =>
          requestCount(`${name}: ${text}`, () =>
            send(stack, withParameter(path, 'start'), {
              body,
              headers: { authorization: `Bearer ${stack.adminKey}`, [name]: text },
            }),
          ),
        ),
      ),
    );
  });

  test('returns no 5xx for hostile values in the fields of every sign-in body', async () => {
    const { verifier, nonce } = await start(stack);
    const { customerId, refreshToken } = tokens;
    const bodies: Record<string, Record<string, unknown>> = {
      start: { shop: stack.shop },
      exchange: { shop: stack.shop, code: 'x', verifier, nonce },
      refresh: { shop: stack.shop, customerId, refreshToken: `${refreshToken}x` },
      revoke: { shop: stack.shop, customerId, refreshToken: `${refreshToken}x` },
      'storefront-token': { shop: stack.shop },
    };
    await expectNo5xx(
      Object.entries(bodies).flatMap(([step, body]) =>
        Object.keys(body)
          // A code goes to the platform, under a lease that others wait for: below, one after the other.
          .filter((field) => field !== 'code')
          .flatMap((field) =>
            VALUES.map((value) => [
              `${step} ${field} ${JSON.stringify(value)}`,
              () =>
                send(stack, `/headless-auth/${step}`, {
                  method: step === 'revoke' ? 'DELETE' : 'POST',
                  body: { ...body, [field]: value },
                }),
            ]),
          ),
      ),
    );
  });

  test('rejects hostile authorization codes and accepts a long device name', async () => {
    const codes = [TEXTS[9], TEXTS[10], 'x'.repeat(4_000)];
    for (const code of codes) {
      const { verifier, nonce } = await start(stack);
      const body = { shop: stack.shop, code, verifier, nonce };
      expect((await send(stack, '/headless-auth/exchange', { body })).status).toBe(400);
    }
    const started = await start(stack);
    const code = await authorize(stack, started, 'ada@example.com');
    const { verifier, nonce } = started;
    const answer = await send(stack, '/headless-auth/exchange', {
      body: { shop: stack.shop, code, verifier, nonce },
      headers: { 'user-agent': 'x'.repeat(6_000) },
    });
    expect(answer.status).toBe(200);
  });

  test('returns no 5xx for hostile values in the fields of a claim', async () => {
    const claim = { claimId: 'A'.repeat(22), proof: 'A'.repeat(43), domain: stack.shop };
    await expectNo5xx(
      Object.keys(claim).flatMap((field) =>
        VALUES.map((value) => [
          `claim ${field} ${JSON.stringify(value)}`,
          () => send(stack, `/admin-keys/claim/${'A'.repeat(22)}`, { body: { ...claim, [field]: value } }),
        ]),
      ),
    );
  });

  test('returns no 5xx for hostile values in GraphQL variables that become table keys', async () => {
    const query = `query ($id: ID!, $text: String) {
      subscriptionContract(id: $id) { id events(first: 1, after: $text, query: $text) { nodes { id } } }
      node(id: $id) { id }
    }`;
    const pause = `mutation ($id: ID!) { subscriptionContractPause(subscriptionContractId: $id) { userErrors { message } } }`;
    const contract = 'gid://platform/SubscriptionContract/9101001';
    const ids = TEXTS.filter((_, index) => index % 2 === 1).flatMap((text) => [
      `gid://platform/SubscriptionContract/${text}`,
      `gid://platform/SubscriptionEvent/${text}`,
    ]);
    const requests = [
      ...ids.map((id) => ({ query, variables: { id } })),
      ...VALUES.slice(8).map((text) => ({ query, variables: { id: contract, text } })),
      ...TEXTS.slice(-8).map((text) => ({
        query: pause,
        variables: { id: `gid://platform/SubscriptionContract/${text}` },
      })),
    ];
    await expectNo5xx(
      requests.map((each) =>
        requestCount(JSON.stringify(each), () => ask(stack, 'admin', { bearer: stack.adminKey, ...each })),
      ),
    );
  });
});
