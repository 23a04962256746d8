/** Serves 64 interleaved requests of one process, as concurrent containers would, and checks that no state is mixed. */
import { expect, test } from '@jest/globals';
import { createPreparedDocuments } from '../../../graphql/compile/prepare-document.ts';
import { refuseIntrospection } from '../../../graphql/roots/introspection/refuse-introspection.ts';
import type { HttpResult } from '../../../lib/http/exchange.ts';
import type { Logger } from '../../../lib/observability/logger.ts';
import { measurePlatformTime } from '../../../lib/observability/request-context.ts';
import { createAdminClient } from '../../../lib/platform/admin-api/admin-client.ts';
import type { AdminPost } from '../../../lib/platform/admin-api/admin-request.ts';
import { createThrottleBuckets } from '../../../lib/platform/admin-api/throttle-buckets.ts';
import type { StoreRecord } from '../../../lib/storage/stores.ts';
import { buildLambdaEnvironment } from '../../../sandbox/aws/build-lambda-environment.ts';
import { createSimulatedTime } from '../../flood/simulated-time.ts';
import { NOW_MS, store } from '../../graphql/world/harness.ts';
import { context, httpEvent } from '../../http-event.ts';
import { linesOf } from '../../lib/observability/log-lines.ts';
import { createMemoryTable } from '../../memory-table.ts';

// The module reads its environment when it is loaded.
Object.assign(process.env, buildLambdaEnvironment({ name: 'runner', memoryMb: 512 }), {
  TABLE_NAME: 'none',
  SECRETS_PREFIX: 'none',
});
const { createCustomerHandler } = await import('../../../functions/customer-graphql/handler.ts');

const REQUESTS = 64;
const STEP_MS = 5;

/** A request of its own store and customer. `ownMs` and `platformMs`: how long it waits for the table and the platform. */
type Sent = ReturnType<typeof requests>[number];

function requests() {
  return Array.from({ length: REQUESTS }, (_, at) => {
    const shopId = 1_000 + at;
    return {
      id: `request-${at}`,
      traceId: `1-5759e988-${`${at}`.padStart(24, '0')}`,
      store: { ...store, shopId, domain: `shop-${at}.myshopify.com` } as StoreRecord,
      customerId: 7_000_000 + at,
      isRefused: at % 8 === 3,
      // Each order of starts, of the table's responses, and of the platform's responses is another one.
      startsAfterMs: ((at * 37) % REQUESTS) * STEP_MS,
      ownMs: ((at * 11) % REQUESTS) * STEP_MS,
      platformMs: ((at * 29) % REQUESTS) * STEP_MS + STEP_MS,
    };
  });
}

/** The platform: it responds to each store's request after the time of that store. */
function createPlatform(wait: (ms: number) => Promise<void>, sent: readonly Sent[]) {
  const posts: { readonly post: AdminPost; readonly expected: Sent }[] = [];
  const send = async (post: AdminPost) => {
    const expected = sent[Number(/^shop-(\d+)\./.exec(post.url.hostname)?.[1])] as Sent;
    const { customerId, platformMs, isRefused } = expected;
    posts.push({ post, expected });
    await wait(platformMs);
    const customer = { id: `gid://shopify/Customer/${customerId}`, displayName: `Customer ${customerId}` };
    const body = JSON.stringify({ data: { customer } });
    return { status: isRefused ? 401 : 200, retryAfter: undefined, body };
  };
  return { send, posts };
}

type Parts = Omit<ReturnType<typeof createPlatform>, 'posts'> & {
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<void>;
  readonly logger: Logger;
};

/** Returns the handler of one container. The value of the header Authorization is the position in `sent`. */
function createHandler({ send, now, wait, logger }: Parts, sent: readonly Sent[]) {
  const token = async ({ shopId }: StoreRecord) => ({ accessToken: `token-${shopId}`, versionId: '1' });
  return createCustomerHandler({ allowedOrigins: [], edgeSecretHashes: [] }, {
    ...{ now, wait, logger, surface: 'customer', introspect: refuseIntrospection },
    table: createMemoryTable(),
    scheduledTasks: { put: async () => undefined },
    documents: createPreparedDocuments(),
    namespaces: { client: 'platform', platform: 'shopify' },
    sendAdminOperation: createAdminClient({
      send: (post) => measurePlatformTime(() => send(post)),
      grants: { read: token, renew: token },
      buckets: createThrottleBuckets({ now }),
      ...{ platformOrigin: 'https://{shop}', platformApiVersion: '2026-07', logger, now, wait },
      random: () => 0.5,
    }),
    verify: async (authorization: string | undefined) => {
      const { store, customerId, ownMs } = sent[Number(authorization)] as Sent;
      await wait(ownMs);
      const session = { sessionId: 'session-1', generation: 1, confirmation: Promise.resolve() };
      return { kind: 'customer', shopId: store.shopId, customerId, session, store };
    },
  } as never) as (event: unknown, lambda: unknown) => Promise<HttpResult>;
}

function eventOf({ id, customerId }: Sent, at: number) {
  const event = httpEvent({
    ...{ method: 'POST', path: '/api/storefront/unstable/graphql.json' },
    headers: { authorization: `${at}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      query: `{ customer(id: "gid://platform/Customer/${customerId}") { id displayName } }`,
    }),
  });
  return { ...event, requestContext: { ...event.requestContext, requestId: id } };
}

/** Serves all requests interleaved. Returns the responses, the log lines, and the platform requests. */
async function serveTogether(sent: readonly Sent[]) {
  const time = createSimulatedTime(NOW_MS);
  const wait = (ms: number) => (ms === 0 ? Promise.resolve() : time.wait(ms / 1000));
  const { send, posts } = createPlatform(wait, sent);
  const results: HttpResult[] = [];
  const lines = await linesOf(async (logger) => {
    const handler = createHandler({ send, now: time.now, wait, logger }, sent);
    let running = sent.length;
    const served = sent.map(async (request, at) => {
      await wait(request.startsAfterMs);
      process.env._X_AMZN_TRACE_ID = `Root=${request.traceId};Sampled=1`;
      results[at] = await handler(eventOf(request, at), context);
      running--;
    });
    while (running > 0) await time.advance(STEP_MS);
    await Promise.all(served);
  });
  return { results, lines, posts };
}

const sent = requests();
const together = await serveTogether(sent);

test('each of 64 interleaved requests gets its own response', () => {
  expect(together.results).toHaveLength(REQUESTS);
  for (const [at, { statusCode, body }] of together.results.entries()) {
    const { isRefused, customerId } = sent[at] as Sent;
    if (isRefused)
      expect([statusCode, JSON.parse(body ?? '').errors[0].extensions.code]).toEqual([
        503,
        'STORE_DISCONNECTED',
      ]);
    else
      expect(JSON.parse(body ?? '')).toEqual({
        data: {
          customer: { id: `gid://platform/Customer/${customerId}`, displayName: `Customer ${customerId}` },
        },
      });
  }
});

test('each platform request of 64 interleaved requests has the token of its own store', () => {
  expect(together.posts.length).toBeGreaterThanOrEqual(REQUESTS);
  for (const { post, expected } of together.posts) {
    expect(post.accessToken).toBe(`token-${expected.store.shopId}`);
    expect(post.body).toContain(`Customer/${expected.customerId}`);
  }
});

test('each log line of 64 interleaved requests has the request id and trace id of its request', () => {
  const lines = together.lines.map(({ message, shopId, requestId, traceId }) => ({
    message,
    shopId,
    requestId,
    traceId,
  }));
  for (const message of ['request', 'platform_request.failed']) {
    const expected = sent
      .filter(({ isRefused }) => message === 'request' || isRefused)
      .map(({ id: requestId, traceId, store: { shopId } }) => ({ message, shopId, requestId, traceId }));
    const ofMessage = lines.filter((line) => line.message === message);
    expect(ofMessage).toHaveLength(expected.length);
    expect(ofMessage).toEqual(expect.arrayContaining(expected));
  }
});

test('counts for each of 64 interleaved requests only its own wait for the platform', () => {
  const durations = together.lines
    .filter(({ message }) => message === 'request')
    .map(({ requestId, ownMs, durationMs }) => [requestId, ownMs, durationMs]);
  const expected = sent.map(({ id, isRefused, ownMs, platformMs }) => [
    id,
    ownMs,
    ownMs + platformMs * (isRefused ? 2 : 1),
  ]);
  expect(durations.sort()).toEqual(expected.sort());
});
