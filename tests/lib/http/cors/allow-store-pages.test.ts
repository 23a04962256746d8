/** Cross-origin requests of web pages: what a preflight reveals, and which store a page may call. */
import { describe, expect, test } from '@jest/globals';
import middy from '@middy/core';
import type { WebRedirectUri } from '../../../../lib/domain/sign-in/web-redirect-uri.ts';
import { ServiceError } from '../../../../lib/errors/service-error.ts';
import { toApiGatewayResult } from '../../../../lib/http/answer.ts';
import { allowOrigins } from '../../../../lib/http/cors/allow-origins.ts';
import { allowStorePages } from '../../../../lib/http/cors/allow-store-pages.ts';
import type { HttpEvent, HttpResult } from '../../../../lib/http/exchange.ts';
import { readRequest } from '../../../../lib/http/read-request.ts';
import { respondToErrors } from '../../../../lib/http/respond-to-errors.ts';
import { context, httpEvent } from '../../../http-event.ts';

const CONFIGURED = 'https://app.example';
const APP = 'capacitor://localhost';
const PAGE_A = 'https://a.example';
const PAGE_B = 'https://b.example:8443';
const ALLOW_ORIGIN = 'access-control-allow-origin';

const storeWith = (page: string | undefined, status = 'installed') => {
  const redirectUris = [`${page}/account` as WebRedirectUri];
  return { status, ...(page && { webSignIn: { clientId: 'web-1', redirectUris, revision: 1 } }) };
};
/** The stores by the header `authorization`. */
const stores: Readonly<Record<string, ReturnType<typeof storeWith>>> = {
  a: storeWith(PAGE_A),
  b: storeWith(PAGE_B),
  gone: storeWith(PAGE_A, 'uninstalled'),
  none: storeWith(undefined),
};

function start() {
  let reads = 0;
  let runs = 0;
  const methodsAt = () => ['POST'];
  const logger = { debug() {}, info() {}, warn() {}, error() {} };
  const origins = [CONFIGURED, APP];
  const handler = middy<HttpEvent, HttpResult>()
    .use([
      readRequest({ now: () => 0 }),
      allowOrigins({ origins, hasStorePages: true, methodsAt }),
      respondToErrors({ logger, listeners: 'customers', body: ({ code }) => ({ code }) }),
      allowStorePages({
        origins,
        findStore: async ({ request }) => {
          reads++;
          return stores[request.headers.authorization ?? ''];
        },
      }),
    ])
    .handler(async ({ exchange }) => {
      runs++;
      if (exchange.request.body === 'fail') throw new ServiceError('UNAUTHENTICATED');
      return toApiGatewayResult(exchange, { status: 200, body: {} });
    });
  const call = async (origin: string | undefined, store = '', more: Parameters<typeof httpEvent>[0] = {}) => {
    const headers = { authorization: store, ...(origin !== undefined && { origin }) };
    const result = await handler(httpEvent({ method: 'POST', headers, ...more }) as HttpEvent, context);
    return { status: result.statusCode, headers: result.headers ?? {}, body: result.body ?? '' };
  };
  return { call, counts: () => ({ reads, runs }) };
}

describe('a preflight', () => {
  test.each([PAGE_A, PAGE_B, 'https://unknown.example', 'https://evil.example', 'http://localhost:5173'])(
    'returns the same to %s as to every page, and reads no store',
    async (origin) => {
      const { call, counts } = start();
      const { status, headers } = await call(origin, '', { method: 'OPTIONS', headers: { origin } });
      expect(status).toBe(204);
      expect(headers).toMatchObject({
        [ALLOW_ORIGIN]: origin,
        'access-control-allow-methods': 'POST',
        vary: 'Origin',
      });
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
      expect(counts()).toEqual({ reads: 0, runs: 0 });
    },
  );

  test.each(['null', '*', '', 'evil://localhost', 'file://', 'http://evil.example', 'https://a.example/'])(
    'returns only Allow to %j, which is not the origin of a page',
    async (origin) => {
      const { headers } = await start().call(origin, '', { method: 'OPTIONS', headers: { origin } });
      expect(headers).not.toHaveProperty(ALLOW_ORIGIN);
      expect(headers).toMatchObject({ allow: 'POST', vary: 'Origin' });
    },
  );
});

describe('a request', () => {
  test.each([
    [PAGE_A, 'a'],
    [PAGE_B, 'b'],
  ])('runs for the store of the page %s, which may read the response', async (origin, store) => {
    const { call, counts } = start();
    const { status, headers } = await call(origin, store);
    expect([status, headers[ALLOW_ORIGIN], headers.vary]).toEqual([200, origin, 'Origin']);
    expect(counts()).toEqual({ reads: 1, runs: 1 });
  });

  test('returns the errors of its store so that the page may read them', async () => {
    const { status, headers } = await start().call(PAGE_A, 'a', { body: 'fail' });
    expect([status, headers[ALLOW_ORIGIN]]).toEqual([401, PAGE_A]);
  });

  test.each([
    [PAGE_A, 'b'],
    [PAGE_B, 'a'],
    [PAGE_A, 'none'],
    ['https://evil.example', 'a'],
    ['https://b.example', 'b'],
    ['https://x.a.example', 'a'],
    ['http://localhost:5173', 'a'],
  ])(
    'refuses the page %s for the store %s before the request runs, unreadable for the page',
    async (origin, store) => {
      const { call, counts } = start();
      const { status, headers, body } = await call(origin, store);
      expect([status, body]).toEqual([403, '{"code":"ORIGIN_NOT_ALLOWED"}']);
      expect(headers).not.toHaveProperty(ALLOW_ORIGIN);
      expect(counts().runs).toBe(0);
    },
  );

  test.each(['gone', 'unknown'])(
    'leaves the store %s to the next steps, unreadable for the page',
    async (store) => {
      const { status, headers } = await start().call(PAGE_A, store);
      expect([status, headers[ALLOW_ORIGIN]]).toEqual([200, undefined]);
    },
  );

  test.each([CONFIGURED, APP])(
    'runs for every store from the configured origin %s, without a read',
    async (origin) => {
      const { call, counts } = start();
      const { status, headers } = await call(origin, 'b');
      expect([status, headers[ALLOW_ORIGIN]]).toEqual([200, origin]);
      expect(counts()).toEqual({ reads: 0, runs: 1 });
    },
  );

  test.each([undefined, 'null', 'evil://localhost'])(
    'runs as before without the origin of a page (%s), unreadable for pages',
    async (origin) => {
      const { call, counts } = start();
      const { status, headers } = await call(origin, 'a');
      expect([status, headers[ALLOW_ORIGIN]]).toEqual([200, undefined]);
      expect(counts()).toEqual({ reads: 0, runs: 1 });
    },
  );
});
