/** Every response of the platform, and the client's result. */
import { describe, expect, test } from '@jest/globals';
import type { CustomerId } from '../../../../lib/domain/customer-id.ts';
import type { ShopId } from '../../../../lib/domain/shop-id.ts';
import { ServiceError } from '../../../../lib/errors/service-error.ts';
import {
  type AdminOperation,
  createAdminClient,
  requestDeadlineAtMs,
} from '../../../../lib/platform/admin-api/admin-client.ts';
import { createSendAdminRequest } from '../../../../lib/platform/admin-api/admin-request.ts';
import type { AdminResponse } from '../../../../lib/platform/admin-api/admin-response.ts';
import { createThrottleBuckets } from '../../../../lib/platform/admin-api/throttle-buckets.ts';
import { GrantRefused } from '../../../../lib/platform/grants/grant-refused.ts';
import type { StoreRecord } from '../../../../lib/storage/stores.ts';
import { type Scripted, startUpstream } from './admin-upstream.ts';

const NOW_MS = 1_800_000_000_000;
const store = { shopId: 1 as ShopId, domain: 'harbor-coffee.myshopify.com' } as StoreRecord;
const cost = (requested: number, available: number) => ({
  requestedQueryCost: requested,
  actualQueryCost: requested,
  throttleStatus: { maximumAvailable: 1000, currentlyAvailable: available, restoreRate: 50 },
});
const ok: Scripted = { body: { data: { shop: { name: 'Harbor' } }, extensions: { cost: cost(10, 990) } } };
const throttled = (requested: number, available: number): Scripted => ({
  body: {
    errors: [{ message: 'Throttled', extensions: { code: 'THROTTLED' } }],
    extensions: { cost: { ...cost(requested, available), actualQueryCost: null } },
  },
});

const wholly = (code: string): Scripted => ({ body: { errors: [{ message: 'm', extensions: { code } }] } });

type Outcome = {
  readonly answer?: AdminResponse;
  readonly error?: ServiceError;
  readonly requests: number;
  /** The logged errors. */
  readonly reported: readonly object[];
  /** Milliseconds that were waited, on a clock that only waiting moves. */
  readonly waitedMs: number;
  readonly tokens: readonly (string | undefined)[];
};

type RunOptions = {
  readonly mutates?: boolean;
  readonly customerId?: CustomerId;
  readonly isOptional?: boolean;
  readonly renew?: () => Promise<{ accessToken: string; versionId: string }>;
  readonly times?: number;
  /** For how long the process is paused when it reads the token. */
  readonly pausedMs?: number;
};

async function run(script: readonly Scripted[], options: RunOptions = {}): Promise<Outcome> {
  await using upstream = await startUpstream(script);
  let nowMs = NOW_MS;
  const reported: object[] = [];
  const client = createAdminClient({
    send: createSendAdminRequest({ now: () => nowMs }),
    grants: {
      read: async () => {
        nowMs += options.pausedMs ?? 0;
        return { accessToken: 'first', versionId: 'v1' };
      },
      renew: options.renew ?? (() => Promise.reject(new ServiceError('STORE_DISCONNECTED'))),
    },
    buckets: createThrottleBuckets({ now: () => nowMs }),
    platformOrigin: `${upstream.origin}/{shop}`,
    platformApiVersion: '2026-07',
    logger: { debug() {}, info() {}, warn() {}, error: (_message, facts) => void reported.push(facts ?? {}) },
    now: () => nowMs,
    random: () => 0.5,
    wait: async (ms) => {
      nowMs += ms;
    },
  });
  const operation: AdminOperation = {
    store,
    document: '{ shop { name } }',
    variables: { n: 1 },
    mutates: options.mutates ?? false,
    deadlineAtMs: requestDeadlineAtMs(NOW_MS),
    costKey: 'shop',
    customerId: options.customerId,
    ...(options.isOptional && { isOptional: true }),
  };
  const seen = () => ({
    reported,
    requests: upstream.received.length,
    waitedMs: nowMs - NOW_MS,
    tokens: upstream.received.map(({ headers }) => headers['x-shopify-access-token'] as string | undefined),
  });
  try {
    let answer = await client(operation);
    for (let times = 1; times < (options.times ?? 1); times++) answer = await client(operation);
    return { answer, ...seen() };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { error, ...seen() };
  }
}

describe('a query', () => {
  test('is answered with data and cost', async () => {
    const { answer, requests } = await run([ok]);
    expect(answer).toEqual({ data: { shop: { name: 'Harbor' } }, errors: [], cost: cost(10, 990) });
    expect(requests).toBe(1);
  });

  test.each<[string, Scripted]>([
    ['throttled', throttled(500, 400)],
    ['answered 429', { status: 429, headers: { 'retry-after': '2' } }],
    ['answered 502', { status: 502, body: '<html>' }],
    ['answered 503', { status: 503 }],
    ['answered 504', { status: 504 }],
    ['cut before the answer', { cut: 'before' }],
    ['cut within the answer', { ...ok, cut: 'within' }],
  ])('sends a query again that is %s', async (_name, failure) => {
    const { answer, requests, waitedMs } = await run([failure, ok]);
    expect(answer?.data).toEqual({ shop: { name: 'Harbor' } });
    expect(requests).toBe(2);
    expect(waitedMs).toBeGreaterThan(0);
  });

  test('waits until the points of a throttled query are available', async () => {
    // (500 − 400) / 50 points a second.
    expect((await run([throttled(500, 400), ok])).waitedMs).toBe(2000);
  });

  test('returns how long to wait when a query cannot wait so long', async () => {
    const { error, requests } = await run([throttled(1000, -400)]);
    expect(error).toMatchObject({ code: 'THROTTLED', status: 429, retryAfterSeconds: 28 });
    expect(error?.extensions.cost).toMatchObject({ requestedQueryCost: 1000 });
    expect(requests).toBe(1);
  });

  test('waits for the bucket before it sends a query of known cost', async () => {
    const expensive: Scripted = { body: { data: {}, extensions: { cost: cost(300, 100) } } };
    // (300 − 100) / 50 points a second.
    expect(await run([expensive, expensive], { times: 2 })).toMatchObject({ requests: 2, waitedMs: 4000 });
  });

  test('gives a customer a third of the bucket, and once what is above it', async () => {
    const expensive: Scripted = { body: { data: {}, extensions: { cost: cost(320, 1000) } } };
    const result = await run([expensive, expensive, expensive], { times: 3, customerId: 7 as CustomerId });
    // (320 + 320 − 1,000 / 3) / (50 / 3) points a second: too long to occupy an instance.
    expect(result).toMatchObject({
      requests: 2,
      waitedMs: 0,
      error: { code: 'THROTTLED', retryAfterSeconds: 19 },
    });
  });

  test.each<[string, Scripted, string, number]>([
    ['500', { status: 500 }, 'PLATFORM_UNAVAILABLE', 503],
    ['HTML', { body: '<html>' }, 'PLATFORM_UNAVAILABLE', 503],
    ['a string of errors in a 200', { body: { errors: 'no' } }, 'PLATFORM_UNAVAILABLE', 503],
    ['402', { status: 402, body: { errors: 'frozen' } }, 'STORE_DISCONNECTED', 503],
    ['403', { status: 403 }, 'STORE_DISCONNECTED', 503],
    ['404', { status: 404, body: { errors: 'Not Found' } }, 'STORE_DISCONNECTED', 503],
    ['423', { status: 423 }, 'STORE_DISCONNECTED', 503],
    [
      'an inactive shop',
      { body: { errors: [{ message: 'x', extensions: { code: 'SHOP_INACTIVE' } }] } },
      'STORE_DISCONNECTED',
      503,
    ],
    [
      'too dear a query',
      { body: { errors: [{ message: 'cost is 1200', extensions: { code: 'MAX_COST_EXCEEDED' } }] } },
      'QUERY_TOO_COMPLEX',
      200,
    ],
    ['a refused document of ours', { body: { errors: [{ message: 'no field x' }] } }, 'INTERNAL_ERROR', 500],
    ['a query that took too long', wholly('TIMEOUT'), 'PLATFORM_UNAVAILABLE', 503],
    ['a failure of the platform', wholly('INTERNAL_SERVER_ERROR'), 'PLATFORM_UNAVAILABLE', 503],
    ['what was never granted', wholly('ACCESS_DENIED'), 'STORE_ACCESS_MISSING', 503],
    [
      'a redirect',
      { status: 302, headers: { location: 'http://elsewhere.example' } },
      'PLATFORM_UNAVAILABLE',
      503,
    ],
  ])('answered with %s fails once', async (_name, answer, code, status) => {
    const { error, requests } = await run([answer]);
    expect(error).toMatchObject({ code, status });
    expect(requests).toBe(1);
  });

  test('renews a refused token once, and sends the query once more', async () => {
    const renew = async () => ({ accessToken: 'second', versionId: 'v2' });
    expect((await run([{ status: 401 }, ok], { renew })).tokens).toEqual(['first', 'second']);
    const { error, requests } = await run([{ status: 401 }, { status: 401 }], { renew });
    expect(error?.code).toBe('STORE_DISCONNECTED');
    expect(requests).toBe(2);
  });

  test('returns a null that reached the top as data, not as a failure', async () => {
    const nulled = { data: null, errors: [{ message: 'Invalid id', path: ['cycles'] }] };
    const { answer } = await run([{ body: nulled }]);
    expect(answer).toEqual({ ...nulled, cost: undefined });
  });
});

describe('an optional query', () => {
  const optional = { isOptional: true, customerId: 7 as CustomerId };

  test('is answered, and its points count for the customer', async () => {
    const { answer, requests } = await run([ok], optional);
    expect([answer?.data, requests]).toEqual([{ shop: { name: 'Harbor' } }, 1]);
    const expensive: Scripted = { body: { data: {}, extensions: { cost: cost(160, 1000) } } };
    const script = [expensive, expensive, expensive];
    expect(await run(script, { ...optional, times: 3 })).toMatchObject({
      requests: 2,
      error: { code: 'THROTTLED' },
    });
  });

  test.each<[string, Scripted]>([
    ['throttled', throttled(500, 400)],
    ['answered 503', { status: 503 }],
    ['answered 401', { status: 401 }],
    ['cut before the answer', { cut: 'before' }],
  ])('is not sent again when it is %s, and reports nothing', async (_name, failure) => {
    const { error, requests, waitedMs, reported } = await run([failure, ok], optional);
    expect(error).toBeInstanceOf(ServiceError);
    expect([requests, waitedMs, reported]).toEqual([1, 0, []]);
  });

  test.each([
    ['its cost does not fit into the customer’s quota', 200, 1000],
    ['points would be scarce while it is in progress', 100, 700],
  ])('is not sent if %s', async (_name, points, available) => {
    const answered: Scripted = { body: { data: {}, extensions: { cost: cost(points, available) } } };
    const { error, requests } = await run([answered, ok], { ...optional, times: 2 });
    expect([error?.code, requests]).toEqual(['THROTTLED', 1]);
  });

  test('is not sent while points are scarce', async () => {
    const scarce: Scripted = { body: { data: {}, extensions: { cost: cost(10, 600) } } };
    const { error, requests, waitedMs } = await run([scarce, ok], { ...optional, times: 2 });
    expect([error?.code, requests, waitedMs]).toEqual(['THROTTLED', 1, 0]);
  });
});

describe('a mutation', () => {
  const mutates = { mutates: true };

  test.each<[string, Scripted]>([
    ['502', { status: 502 }],
    ['500', { status: 500 }],
    ['HTML', { body: '<html>' }],
    ['a cut connection', { cut: 'before' }],
    ['a cut answer', { ...ok, cut: 'within' }],
  ])('answered with %s is never sent again: its outcome is unknown', async (_name, failure) => {
    const { error, requests } = await run([failure, ok], mutates);
    expect(error?.code).toBe('OUTCOME_UNKNOWN');
    expect(requests).toBe(1);
  });

  test.each<[string, Scripted]>([
    ['throttled', throttled(500, 400)],
    ['answered 429', { status: 429 }],
  ])('sends a mutation again that was %s and certainly did not run', async (_name, failure) => {
    const { answer, requests } = await run([failure, ok], mutates);
    expect(answer?.data).toEqual({ shop: { name: 'Harbor' } });
    expect(requests).toBe(2);
  });
});

test.each([true, false])('sends nothing after its deadline (a mutation: %s)', async (mutates) => {
  const { error, requests } = await run([ok], { mutates, pausedMs: 20_000 });
  expect({ code: error?.code, requests }).toEqual({ code: 'PLATFORM_UNAVAILABLE', requests: 0 });
});

test('sends address, token, user agent and JSON', async () => {
  await using upstream = await startUpstream([ok]);
  const raw = await createSendAdminRequest({ now: () => NOW_MS })({
    url: new URL(`${upstream.origin}/shop/admin/api/2026-07/graphql.json`),
    accessToken: 'token',
    body: '{"query":"{ shop { name } }"}',
    timeoutMs: 5000,
    freshConnection: true,
  });
  expect(raw.status).toBe(200);
  expect(upstream.received[0]).toMatchObject({
    url: '/shop/admin/api/2026-07/graphql.json',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'subscription-management-service',
      'x-shopify-access-token': 'token',
    },
    body: { query: '{ shop { name } }' },
  });
});

test('logs a store that gives no token any more with each request, with the alarm', async () => {
  const { reported, error } = await run([{ status: 401 }]);
  expect([error?.code, reported]).toMatchObject([
    'STORE_DISCONNECTED',
    [{ alarm: 'store-disconnected', shopId: 1 }],
  ]);
});

test('logs only the platform’s own reason when a grant is not renewed, because the runbook searches for it', async () => {
  const refusal = new GrantRefused({ reason: 'app_not_installed', isFinal: true });
  const { reported } = await run([{ status: 401 }], { renew: () => Promise.reject(refusal) });
  expect(reported).toMatchObject([{ alarm: 'store-disconnected', reason: 'app_not_installed' }]);
});

test('logs another version than was requested once, with an alarm', async () => {
  const other: Scripted = { ...ok, headers: { 'x-shopify-api-version': '2026-10' } };
  const same: Scripted = { ...ok, headers: { 'x-shopify-api-version': '2026-07' } };
  expect((await run([same, same], { times: 2 })).reported).toEqual([]);
  const { reported } = await run([other, other], { times: 2 });
  expect(reported).toMatchObject([{ alarm: 'api_version', requested: '2026-07', answered: '2026-10' }]);
});

describe('what a store lacks', () => {
  const accessDenied = (message: string): Scripted => ({
    body: {
      data: { shop: null },
      errors: [
        { message, path: ['shop'], extensions: { code: 'ACCESS_DENIED', documentation: 'https://x' } },
      ],
    },
  });
  const scope = (name: string) =>
    accessDenied(`Access denied for shop field. Required access: \`${name}\` access scope.`);

  test('logs missing access once, by its names alone, with an alarm if the service needs it', async () => {
    const script = [scope('read_customers'), scope('read_customers'), scope('write_customers')];
    const { reported } = await run(script, { times: 3 });
    const alarm = 'store_access';
    expect(reported).toEqual([
      { alarm, shopId: 1, missing: 'read_customers' },
      { alarm, shopId: 1, missing: 'write_customers' },
    ]);
  });

  test.each(['read_locations', 'read_whatever'])(
    'rings no alarm for access that any client can select: %s',
    async (name) => {
      expect((await run([scope(name)])).reported).toEqual([]);
    },
  );

  test('does not fill the log, whatever the platform says', async () => {
    const many = Array.from({ length: 120 }, (_, index) => `write_customers read_${'a'.repeat(index + 1)}`);
    const { reported } = await run(many.map(accessDenied), { times: many.length });
    expect(reported.length).toBe(1);
  });

  test('fails a change none of whose roots has run, and returns one of which some have', async () => {
    const one = await run([scope('write_customers')], { mutates: true });
    expect([one.error?.code, one.requests]).toEqual(['STORE_ACCESS_MISSING', 1]);
    const errors = [{ message: 'm', path: ['a'], extensions: { code: 'ACCESS_DENIED' } }];
    const some: Scripted = { body: { data: { a: null, b: { done: true } }, errors } };
    expect((await run([some], { mutates: true })).answer?.data).toEqual({ a: null, b: { done: true } });
  });
});
