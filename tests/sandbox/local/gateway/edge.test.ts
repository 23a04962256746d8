/** The edge that the gateway emulates: its rejections, their delay, and the requests that reach the API. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { RATE_RULES } from '../../../../infra/definition/edge-rules.ts';
import { readCallerAddress } from '../../../../lib/http/edge/caller-address.ts';
import type { HttpEvent } from '../../../../lib/http/exchange.ts';
import { createEdge } from '../../../../sandbox/local/gateway/edge.ts';
import {
  createGatewayHandler,
  type HandleGatewayRequest,
} from '../../../../sandbox/local/gateway/handle-gateway-request.ts';
import { createRouteMatcher } from '../../../../sandbox/local/gateway/match-route.ts';
import { routeErrors } from '../../../../tools/generate/openapi/route-errors.ts';
import { expectDocumented } from '../../../functions/documented-answers.ts';

const REFRESH = '/headless-auth/refresh';
const SECRET = 'what the functions know by its hash';
let nowMs = 0;
let gateway: HandleGatewayRequest;
let events: HttpEvent[] = [];
beforeEach(() => {
  nowMs = 1_800_000_000_000;
  events = [];
  gateway = createGatewayHandler({
    now: () => nowMs,
    edge: createEdge({ secret: SECRET, now: () => nowMs }),
    // Without throttles: only the edge refuses.
    matchRoute: createRouteMatcher({ routes: [], defaultFunction: 'headless-auth' }),
    invoke: async (_name, event) => {
      events.push(event as APIGatewayProxyEventV2 as HttpEvent);
      return { statusCode: 200 };
    },
  });
});

type Sent = {
  readonly method?: string;
  readonly url?: string;
  readonly from?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

function send({ method = 'POST', url = REFRESH, from = '198.51.100.4', headers, body = '' }: Sent = {}) {
  const bytes = Buffer.from(body);
  const length = body === '' ? {} : { 'Content-Length': `${bytes.byteLength}` };
  const type = method === 'GET' ? {} : { 'Content-Type': 'application/json' };
  const all = { Host: 'api.example.com', 'X-Forwarded-For': from, ...type, ...length, ...headers };
  const request = {
    ...{ method, url, httpVersion: '1.1', headers: {} },
    rawHeaders: Object.entries(all).flat(),
    socket: { remoteAddress: '127.0.0.1', localPort: 443 },
  };
  return gateway(request, bytes);
}

/** Returns the number of 429 responses in each second, at this many requests a second. */
async function refusedOf(seconds: number, perSecond: number, sent?: Sent): Promise<number[]> {
  const refused: number[] = [];
  for (let second = 0; second < seconds; second++, nowMs += 1000) {
    const statuses = await Promise.all(
      Array.from({ length: perSecond }, async () => (await send(sent)).status),
    );
    refused.push(statuses.filter((status) => status === 429).length);
  }
  return refused;
}

describe('a request that passes', () => {
  test('has the secret of the edge, whatever the client wrote there, and nothing else is otherwise', async () => {
    const headers = { 'X-Origin-Secret': 'a guess', 'x-origin-secret': 'another', Authorization: 'Bearer x' };
    expect((await send({ headers, body: '{"a":1}', method: 'DELETE' })).status).toBe(200);
    const [event] = events;
    expect(event?.headers['x-origin-secret']).toBe(SECRET);
    expect(event?.headers.authorization).toBe('Bearer x');
    expect(event?.requestContext.http.method).toBe('DELETE');
    expect(event?.body).toBe('{"a":1}');
  });

  test.each(['198.51.100.4', '10.0.0.1, 198.51.100.4', 'junk,198.51.100.4'])(
    'gives the function the caller’s address: %s',
    async (from) => {
      await send({ from });
      expect(readCallerAddress(events[0] as HttpEvent, true)).toBe('198.51.100.4');
    },
  );
});

describe('a rate', () => {
  test('is refused half a minute after it is too high, and accepted half a minute after it has ended', async () => {
    const { maxRequests: requests = 0 } = RATE_RULES.find(({ name }) => name === 'refresh') ?? {};
    const blockedAt = Math.floor(requests / 40) + 30;
    const refused = await refusedOf(120, 40);
    expect(refused.slice(0, blockedAt)).toEqual(Array(blockedAt).fill(0));
    expect(refused.slice(blockedAt + 1)).toEqual(Array(120 - blockedAt - 1).fill(40));
    expect((await send({ from: '198.51.100.5' })).status).toBe(200);
    expect((await send({ url: '/headless-auth/start' })).status).toBe(200);
    // Rejected requests count, too: the block ends after the window and the delay.
    const after = await refusedOf(120, 1);
    expect(after[0]).toBe(1);
    expect(after.slice(95)).toEqual(Array(25).fill(0));
  });

  test('just below the limit is never refused', async () => {
    expect(await refusedOf(200, 9)).toEqual(Array(200).fill(0));
  });

  test.each(['/headless-auth/%72efresh', '/headless-auth/refresh?x=1'])(
    'counts the path that API Gateway sees: %s',
    async (url) => {
      expect((await refusedOf(60, 40, { url })).at(-1)).toBe(40);
      expect((await send()).status).toBe(429);
    },
  );

  test('over all paths together is refused, too, but for merchants', async () => {
    const paths = ['/a', '/b', '/c', '/api/storefront/unstable/graphql.json'];
    for (let second = 0; second < 100; second++, nowMs += 1000)
      for (const url of paths) await Promise.all(Array.from({ length: 10 }, () => send({ url })));
    expect((await send({ url: '/d' })).status).toBe(429);
    expect((await send({ url: '/api/admin/unstable/graphql.json' })).status).toBe(200);
  });

  test('never counts preflights', async () => {
    expect(await refusedOf(100, 60, { method: 'OPTIONS' })).toEqual(Array(100).fill(0));
    expect((await send()).status).toBe(200);
  });

  test.each([
    ['POST', { 'Content-Type': 'text/plain' }, 415],
    ['POST', { 'Content-Type': '' }, 415],
    ['DELETE', { 'Content-Type': 'application/x-www-form-urlencoded' }, 415],
    ['GET', {}, 429],
    ['HEAD', {}, 429],
  ])(
    'takes no call from visitors for what any page on the web can send: %s %j',
    async (method, headers, status) => {
      for (const url of [REFRESH, '/x', '/api/admin/unstable/graphql.json'])
        await refusedOf(60, 40, { method, headers, url });
      expect((await send({ method, headers })).status).toBe(status);
      for (const url of [REFRESH, '/x', '/api/admin/unstable/graphql.json', '/admin-keys/claim/x'])
        expect((await send({ url })).status).toBe(200);
      expect((await send({ url: '/headless-auth/revoke', method: 'DELETE', body: '{}' })).status).toBe(200);
    },
  );

  test('is refused with a response that every client reads, and browsers may', async () => {
    await refusedOf(60, 40);
    const { status, headers, body } = await send();
    expect([status, headers]).toEqual([
      429,
      expect.objectContaining({
        'retry-after': '60',
        'content-type': 'application/json',
        'access-control-allow-origin': '*',
        'access-control-expose-headers': 'Retry-After',
      }),
    ]);
    const { error, errors } = JSON.parse(body.toString());
    expect([error.code, errors[0].extensions.code]).toEqual(['THROTTLED', 'THROTTLED']);
    expect(error.message).toBe(errors[0].message);
    // Every route of the API document answers so.
    for (const operation of Object.keys(routeErrors))
      expectDocumented({ operation, status, headers, body: { error, errors } });
  });
});

describe('a body', () => {
  test.each([
    ['within the limit', { body: 'x'.repeat(256 * 1024) }, 200],
    ['beyond it', { body: 'x'.repeat(256 * 1024 + 1) }, 413],
    ['that does not say its length', { body: 'x', headers: { 'Content-Length': '' } }, 413],
    ['that says nonsense', { body: 'x', headers: { 'Content-Length': '1e1' } }, 413],
    ['that is not there', {}, 200],
  ])('%s', async (_name, sent, status) => {
    expect((await send(sent)).status).toBe(status);
  });
});
