/** Cross-origin requests of web pages: which origin may call for which store, and what a preflight reveals. */
import { describe, expect, test } from '@jest/globals';
import middy from '@middy/core';
import type { ShopId } from '../../../../lib/domain/shop-id.ts';
import type { WebRedirectUri } from '../../../../lib/domain/sign-in/web-redirect-uri.ts';
import { ServiceError } from '../../../../lib/errors/service-error.ts';
import { allowOrigins } from '../../../../lib/http/cors/allow-origins.ts';
import { requirePageStore } from '../../../../lib/http/cors/require-page-store.ts';
import type { HttpEvent, HttpResult } from '../../../../lib/http/exchange.ts';
import { toApiGatewayResult } from '../../../../lib/http/http-response.ts';
import { readRequest } from '../../../../lib/http/read-request.ts';
import { respondToErrors } from '../../../../lib/http/respond-to-errors.ts';
import { context, httpEvent } from '../../../http-event.ts';

const CONFIGURED = 'https://app.example';
const APP = 'capacitor://localhost';
const PAGE_A = 'https://a.example';
const PAGE_B = 'https://b.example:8443';
const ALLOW_ORIGIN = 'access-control-allow-origin';

const storeWith = (id: number, page: string | undefined, status = 'installed') => {
  const redirectUris = [`${page}/account` as WebRedirectUri];
  const webSignIn = page === undefined ? undefined : { clientId: 'web-1', redirectUris, revision: 1 };
  return { shopId: id as ShopId, status, webSignIn };
};
/** The stores by the domain in the query, and by the header `authorization`, which stands for body and token. */
const stores: Readonly<Record<string, ReturnType<typeof storeWith>>> = {
  a: storeWith(1, PAGE_A),
  b: storeWith(2, PAGE_B),
  gone: storeWith(3, PAGE_A, 'uninstalled'),
  none: storeWith(4, undefined),
};

type Sent = {
  readonly origin?: string;
  readonly query?: string;
  readonly shop?: string;
  readonly body?: string;
};

function start() {
  let reads = 0;
  let runs = 0;
  const logger = { debug() {}, info() {}, warn() {}, error() {} };
  const findStore = async (domain: string) => {
    reads++;
    return stores[domain];
  };
  const handler = middy<HttpEvent, HttpResult>()
    .use([
      readRequest({ now: () => 0 }),
      allowOrigins({ origins: [CONFIGURED, APP], findStore, allowedMethodsOf: () => ['POST'] }),
      respondToErrors({ logger, audience: 'customers', buildBody: ({ code }) => ({ code }) }),
      requirePageStore(async ({ request }) => stores[request.headers.authorization ?? '']?.shopId),
    ])
    .handler(async ({ exchange }) => {
      runs++;
      if (exchange.request.body === 'fail') throw new ServiceError('UNAUTHENTICATED');
      return toApiGatewayResult(exchange, { status: 200, body: {} });
    });
  const call = async (method: string, { origin, query = '', shop = '', body = '' }: Sent) => {
    const headers = { authorization: shop, ...(origin !== undefined && { origin }) };
    const result = await handler(httpEvent({ method, headers, query, body }) as HttpEvent, context);
    return { status: result.statusCode, headers: result.headers ?? {}, body: result.body ?? '' };
  };
  return { call, counts: () => ({ reads, runs }) };
}

describe('a preflight', () => {
  test.each([
    [PAGE_A, 'shop=a'],
    [PAGE_A, 'x=1&shop=a'],
    [PAGE_B, 'shop=b'],
  ])('is accepted for the page %s of the store in the query %s', async (origin, query) => {
    const { status, headers } = await start().call('OPTIONS', { origin, query });
    expect(status).toBe(204);
    expect(headers).toMatchObject({
      [ALLOW_ORIGIN]: origin,
      'access-control-allow-methods': 'POST',
      vary: 'Origin',
    });
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
  });

  test.each([
    ['the page of another store', PAGE_A, 'shop=b'],
    ['a page of no store', 'https://evil.example', 'shop=a'],
    ['a page without a store in the query', PAGE_A, ''],
    ['a page with two stores in the query', PAGE_A, 'shop=a&shop=b'],
    ['a page with an unknown store', PAGE_A, 'shop=nobody'],
    ['a page of a store without pages', PAGE_A, 'shop=none'],
    ['a page of an uninstalled store', PAGE_A, 'shop=gone'],
    ['another port', 'https://b.example', 'shop=b'],
    ['a subdomain', 'https://x.a.example', 'shop=a'],
    ['plain http', 'http://a.example', 'shop=a'],
    ['no origin', 'null', 'shop=a'],
    ['a list of origins', `${PAGE_A}, https://evil.example`, 'shop=a'],
    ['a web view', 'evil://localhost', 'shop=a'],
  ])('returns the same to %s as to all others: only Allow', async (_what, origin, query) => {
    const { status, headers } = await start().call('OPTIONS', { origin, query });
    expect([status, headers]).toEqual([204, { allow: 'POST', vary: 'Origin', 'x-request-id': 'request-1' }]);
  });

  test('reads a store only for a page that names one', async () => {
    const { call, counts } = start();
    for (const origin of [CONFIGURED, APP, 'null', 'evil://localhost'])
      await call('OPTIONS', { origin, query: 'shop=a' });
    await call('OPTIONS', { origin: PAGE_A });
    expect(counts()).toEqual({ reads: 0, runs: 0 });
    await call('OPTIONS', { origin: 'https://evil.example', query: 'shop=a' });
    expect(counts()).toEqual({ reads: 1, runs: 0 });
  });
});

describe('a request', () => {
  test('runs for the store of the page, which may read the response', async () => {
    const { call, counts } = start();
    const { status, headers } = await call('POST', { origin: PAGE_A, query: 'shop=a', shop: 'a' });
    expect([status, headers[ALLOW_ORIGIN], headers.vary]).toEqual([200, PAGE_A, 'Origin']);
    expect(counts()).toEqual({ reads: 1, runs: 1 });
  });

  test.each([
    ['fails', { shop: 'a', body: 'fail' }],
    ['has a token or a body without a store', { body: 'fail' }],
  ])('returns an error that the page may read when it %s', async (_what, sent) => {
    const { status, headers } = await start().call('POST', { origin: PAGE_A, query: 'shop=a', ...sent });
    expect([status, headers[ALLOW_ORIGIN]]).toEqual([401, PAGE_A]);
  });

  test('is refused before it runs when body or token belong to another store than the query', async () => {
    const { call, counts } = start();
    const { status, body } = await call('POST', { origin: PAGE_A, query: 'shop=a', shop: 'b' });
    expect([status, body]).toEqual([403, '{"code":"ORIGIN_NOT_ALLOWED"}']);
    expect(counts().runs).toBe(0);
  });

  test.each([PAGE_B, 'https://evil.example', 'http://localhost:5173'])(
    'is refused before it runs when the store in the query does not have the page %s, as after its removal',
    async (origin) => {
      const { call, counts } = start();
      const { status, headers, body } = await call('POST', { origin, query: 'shop=a', shop: 'a' });
      expect([status, body]).toEqual([403, '{"code":"ORIGIN_NOT_ALLOWED"}']);
      expect(headers).not.toHaveProperty(ALLOW_ORIGIN);
      expect(counts().runs).toBe(0);
    },
  );

  test.each([CONFIGURED, APP])('runs for every store from the configured origin %s', async (origin) => {
    const { call, counts } = start();
    const { status, headers } = await call('POST', { origin, query: 'shop=a', shop: 'b' });
    expect([status, headers[ALLOW_ORIGIN]]).toEqual([200, origin]);
    expect(counts()).toEqual({ reads: 0, runs: 1 });
  });

  test.each([
    ['no origin', undefined, 'shop=a'],
    ['the origin of a web view', 'evil://localhost', 'shop=a'],
    ['no store in the query', PAGE_A, ''],
  ])('runs as before with %s, unreadable for pages', async (_what, origin, query) => {
    const { call, counts } = start();
    const sent = { query, shop: 'a', ...(origin !== undefined && { origin }) };
    const { status, headers } = await call('POST', sent);
    expect([status, headers[ALLOW_ORIGIN]]).toEqual([200, undefined]);
    expect(counts()).toEqual({ reads: 0, runs: 1 });
  });
});
