import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { WebRedirectUri } from '../../../lib/domain/sign-in/web-redirect-uri.ts';
import { ADA } from '../../lib/sign-in/world/journey.ts';
import { CLIENT_ID, createWiredWorld, SHOP, type WiredWorld } from '../../lib/sign-in/world/world.ts';
import { createAnswerCheck } from '../documented-answers.ts';
import { loadFunction } from './function.ts';
import { hostileShops } from './hostile-shops.ts';

let world: WiredWorld;
let signInFunction: Awaited<ReturnType<typeof loadFunction>>;
beforeAll(async () => {
  world = await createWiredWorld();
  signInFunction = await loadFunction(world);
});
afterAll(async () => {
  await signInFunction.close();
  await world.close();
});
beforeEach(() => world.putStore().then(() => undefined));

const answers = createAnswerCheck();
const call: typeof signInFunction.call = async (step, body, more = {}) => {
  const answer = await signInFunction.call(step, body, more);
  const { path = `/headless-auth/${step}`, method } = more;
  const operation = path === '/healthz' ? 'GET' : step === 'revoke' ? 'DELETE' : 'POST';
  const isDocumented = path === '/healthz' || path === `/headless-auth/${step}`;
  if (isDocumented && method !== 'HEAD' && method !== 'OPTIONS')
    answers.check({ operation: `${operation} ${path}`, ...answer, body: answer.json });
  return answer;
};

async function signIn() {
  const { json } = await call('start', { shop: SHOP });
  const code = world.platform.signIn(String(json.authUrl));
  return { shop: SHOP, code, verifier: json.verifier, nonce: json.nonce };
}

const PAGE = 'https://shop.example.com/account' as WebRedirectUri;
const token = { shop: SHOP, customerId: ADA, refreshToken: 'junk' };
const HOUR_MS = 3_600_000;
const steps = ['start', 'exchange', 'refresh', 'revoke', 'storefront-token'];

describe('every sign-in endpoint', () => {
  test.each(steps)('%s returns MISSING_SHOP without a shop', async (step) => {
    for (const shop of [undefined, '', 7, null, ['x']]) {
      const { status, code } = await call(step, { ...token, code: 'a', verifier: 'a', nonce: 'a', shop });
      expect([status, code]).toEqual([400, 'MISSING_SHOP']);
    }
  });

  test.each(steps)('%s with a shop where the service is not installed', async (step) => {
    const shop = 'nobody.myshopify.com';
    const { status, code } = await call(step, { ...token, code: 'a', verifier: 'a', nonce: 'a', shop });
    expect([status, code]).toEqual([401, 'SHOP_NOT_INSTALLED']);
    await world.putStore({ status: 'uninstalled' });
    expect((await call(step, { ...token, code: 'a', verifier: 'a', nonce: 'a' })).code).toBe(
      'SHOP_NOT_INSTALLED',
    );
  });

  test.each(steps)('%s returns METHOD_NOT_ALLOWED for another method', async (step) => {
    const { status, headers, code } = await call(step, {}, { method: 'GET' });
    expect([status, code]).toEqual([405, 'METHOD_NOT_ALLOWED']);
    expect(headers.allow).toBe(step === 'revoke' ? 'DELETE' : 'POST');
  });

  test.each(steps)('%s with a body that is too large, of another type, or no JSON object', async (step) => {
    const large = await call(step, 'x'.repeat(65_537));
    expect([large.status, large.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' } };
    const typed = await call(step, 'shop=x', form);
    expect([typed.status, typed.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    for (const body of ['{"shop":"\\ud800"}', '', '[]', '"x"', '{']) {
      expect((await call(step, body)).code).toBe('INVALID_JSON');
    }
  });

  test.each(steps)('%s: every answer has a request id, is not stored, and says what to do', async (step) => {
    const { headers, json } = await call(step, {});
    expect(headers['x-request-id']).toBe('request-1');
    expect(headers['cache-control']).toBe('no-store');
    expect(json).toEqual({
      error: { code: 'MISSING_SHOP', message: expect.any(String), requestId: 'request-1' },
    });
  });

  test.each(['/', '/headless-auth', '/headless-auth/start/', '/headless-auth/Start', '/headless-auth/none'])(
    'nothing is at %s',
    async (path) => {
      const { status, code, headers } = await call('start', {}, { path });
      expect([status, code]).toEqual([404, 'NOT_FOUND']);
      expect(headers['cache-control']).toBe('no-store');
    },
  );

  const json = (origin: string) => ({ headers: { 'content-type': 'application/json', origin } });
  const ofStore = (origin: string) => ({ ...json(origin), query: `shop=${SHOP}` });
  const allowedIn = (answer: Awaited<ReturnType<typeof call>>) =>
    answer.headers['access-control-allow-origin'];

  test('allows the preflight of a configured origin and of a page of the store, and of no other', async () => {
    await world.putStore({ webSignIn: { clientId: 'web-1', redirectUris: [PAGE], revision: 1 } });
    const preflight = async (more: object) =>
      allowedIn(await call('start', '', { ...more, method: 'OPTIONS' }));
    expect(await preflight(json('https://app.example'))).toBe('https://app.example');
    expect(await preflight(ofStore('https://shop.example.com'))).toBe('https://shop.example.com');
    expect(await preflight(json('https://shop.example.com'))).toBeUndefined();
    expect(await preflight(ofStore('https://evil.example'))).toBeUndefined();
  });

  test.each(steps)('%s runs for a page of its store, and for no other page', async (step) => {
    await world.putStore({ webSignIn: { clientId: 'web-1', redirectUris: [PAGE], revision: 1 } });
    const body = { ...token, code: 'a', verifier: 'a', nonce: 'a' };
    const own = await call(step, body, ofStore('https://shop.example.com'));
    expect(allowedIn(own)).toBe('https://shop.example.com');
    expect(own.code).not.toBe('ORIGIN_NOT_ALLOWED');
    const evil = await call(step, body, ofStore('https://evil.example'));
    expect([evil.status, evil.code, allowedIn(evil)]).toEqual([403, 'ORIGIN_NOT_ALLOWED', undefined]);
  });

  test('starts no sign-in and ends none for a page that was removed', async () => {
    const exchanged = await call('exchange', await signIn());
    const { customerId, refreshToken } = exchanged.json;
    const own = { shop: SHOP, customerId, refreshToken };
    for (const step of ['start', 'refresh', 'revoke'])
      expect((await call(step, own, ofStore('https://shop.example.com'))).code).toBe('ORIGIN_NOT_ALLOWED');
    expect((await call('refresh', own)).status).toBe(200);
  });
});

describe('the page', () => {
  const page = PAGE;
  const withPage = () =>
    world.putStore({ webSignIn: { clientId: 'web-1', redirectUris: [page], revision: 1 } });

  test('returns the page of the request as redirectUri', async () => {
    await withPage();
    const { status, json } = await call('start', { shop: SHOP, redirectUri: page });
    expect([status, json.redirectUri]).toEqual([200, page]);
    expect(new URL(String(json.authUrl)).searchParams.get('redirect_uri')).toBe(page);
  });

  test('refuses a page that is not entered', async () => {
    await withPage();
    const { status, code } = await call('start', { shop: SHOP, redirectUri: `${page}/` });
    expect([status, code]).toEqual([400, 'INVALID_REDIRECT_URI']);
  });

  test.each([[''], [7], [true], [[page]], [{ page }], ['x'.repeat(2_049)]])(
    'returns MISSING_PARAMETERS for %j',
    async (redirectUri) => {
      await withPage();
      const { status, code } = await call('start', { shop: SHOP, redirectUri });
      expect([status, code]).toEqual([400, 'MISSING_PARAMETERS']);
    },
  );
});

describe('the language', () => {
  const localeOf = async (locale: unknown) => {
    const { status, json } = await call('start', { shop: SHOP, locale });
    return status === 200 ? new URL(String(json.authUrl)).searchParams.get('locale') : status;
  };

  test.each([
    ['de', 'de'],
    ['pt-br', 'pt-BR'],
    ['de_AT', 'de-AT'],
    ['zh-Hans-CN', 'zh-Hans-CN'],
    ['de-u-ca-gregory', 'de'],
    // An invalid locale does not prevent the sign-in: the platform chooses the language.
    [undefined, null],
    [null, null],
    ['', null],
    ['C', null],
    ['en_US_POSIX@x', null],
    ['und', null],
    ['und-Latn-DE', null],
    ['de\u0000', null],
    ['de&prompt=none', null],
    [`de-${'x'.repeat(4096)}`, null],
    [7, 400],
    [['de'], 400],
    [{ tag: 'de' }, 400],
  ])('a sign-in with the locale %j asks for pages in %j', async (locale, requested) => {
    expect(await localeOf(locale)).toBe(requested);
  });

  test('returns MISSING_PARAMETERS for a locale of another type', async () => {
    const { json } = await call('start', { shop: SHOP, locale: 7 });
    expect(json).toMatchObject({
      error: { code: 'MISSING_PARAMETERS', message: expect.stringContaining('"locale"') },
    });
  });

  test.each([
    [undefined, /^The service is not installed/],
    ['de-AT, en;q=0.5', /^Der Dienst ist in diesem Shop nicht installiert/],
    ['zh, ja;q=0.2', /サービスがインストールされていません/],
    ['x'.repeat(4096), /^The service is not installed/],
  ])('returns errors in the language of the header %s', async (acceptLanguage, message) => {
    const headers = {
      'content-type': 'application/json',
      ...(acceptLanguage && { 'accept-language': acceptLanguage }),
    };
    const { json } = await call('start', { shop: 'nobody.myshopify.com' }, { headers });
    expect(json).toMatchObject({
      error: { code: 'SHOP_NOT_INSTALLED', message: expect.stringMatching(message) },
    });
  });
});

describe('the health of the service', () => {
  const health = (method: string) => call('start', '', { method, path: '/healthz' });

  test('returns status and version to everybody, and forbids storing them', async () => {
    const { status, json, headers } = await health('GET');
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    // A deploy's number would show the public how often the service is deployed.
    expect(json).toEqual({ status: 'ok', version: expect.any(String) });
  });

  test('returns no body to HEAD', async () => {
    const { status, headers } = await health('HEAD');
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
  });

  test('takes no other method', async () => {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const { status, headers } = await health(method);
      expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
    }
  });
});

describe('fields', () => {
  test.each([
    ['exchange', { shop: SHOP, code: 'a', verifier: 'a', nonce: 'a' }],
    ['refresh', token],
    ['revoke', token],
  ])('%s names what is missing, empty or of the wrong type', async (step, body: Record<string, unknown>) => {
    for (const field of Object.keys(body).filter((name) => name !== 'shop')) {
      for (const value of [undefined, '', null, {}, -1]) {
        const { status, code, json } = await call(step, { ...body, [field]: value });
        expect([status, code]).toEqual([400, 'MISSING_PARAMETERS']);
        expect(JSON.stringify(json)).toContain(`\\"${field}\\"`);
      }
    }
  });

  /** As hostile as JSON can be; `long` is longer than any of our own by far, and shorter than a body may be. */
  const long = 'a'.repeat(2_049);
  const values: readonly unknown[] = [
    ...[undefined, null, '', 0, -1, true, [], {}, [long], { toString: long }, long, 'a'.repeat(60_000)],
    ...['\n', 'a\nb', '\0', '%00', '__proto__', 'constructor', ' ', '🏪'.repeat(2_000)],
  ];
  const fieldsOf: Readonly<Record<string, Record<string, unknown>>> = {
    start: { shop: SHOP },
    exchange: { shop: SHOP, code: 'a', verifier: 'a', nonce: 'a' },
    refresh: token,
    revoke: token,
    'storefront-token': { shop: SHOP },
  };

  test.each(steps)('%s: whatever stands in a field, the answer says what is wrong with it', async (step) => {
    for (const field of Object.keys(fieldsOf[step] ?? {})) {
      for (const value of values) {
        const { status, code, json } = await call(step, { ...fieldsOf[step], [field]: value });
        expect([status, field, value]).toEqual([expect.any(Number), field, value]);
        expect([400, 401, 404]).toContain(status);
        expect(code).not.toBe('INTERNAL_ERROR');
        if (typeof value === 'string' && Buffer.byteLength(value) > 2_048 && field !== 'shop') {
          expect([status, code]).toEqual([400, 'MISSING_PARAMETERS']);
          expect(JSON.stringify(json)).toContain(`\\"${field}\\"`);
        }
        expect(JSON.stringify(json).length).toBeLessThan(400);
      }
    }
  });

  test('sends a code of 2 KB to the platform, and no longer one', async () => {
    const request = await signIn();
    const sent = world.platform.codeGrants();
    const tooLong = await call('exchange', { ...request, code: 'a'.repeat(2_049) });
    expect([tooLong.status, tooLong.code]).toEqual([400, 'MISSING_PARAMETERS']);
    expect(tooLong.json).toMatchObject({ error: { message: '"code" is longer than 2048 bytes.' } });
    expect(world.platform.codeGrants()).toBe(sent);
    expect((await call('exchange', { ...request, code: 'a'.repeat(2_048) })).code).toBe('SIGN_IN_REJECTED');
    expect(world.platform.codeGrants()).toBe(sent + 1);
  });

  test.each([0, 1.5, 2 ** 53, '0', '1.5', ' 7', '7e3', `${2 ** 53}`])(
    '%p is no customer id',
    async (customerId) => {
      expect((await call('refresh', { ...token, customerId })).code).toBe('MISSING_PARAMETERS');
    },
  );

  test.each([9999, '9999', Number.MAX_SAFE_INTEGER])('%p is a customer id', async (customerId) => {
    expect((await call('refresh', { ...token, customerId })).code).toBe('TOKEN_NOT_FOUND');
  });

  test('the domain of a shop may be written in capitals', async () => {
    expect((await call('start', { shop: SHOP.toUpperCase() })).status).toBe(200);
  });
});

test.each(hostileShops.map((shop) => [shop]))('the shop %j leads nowhere', async (shop) => {
  world.platform.state.requests.length = 0;
  for (const step of steps) {
    const { status, code } = await call(step, { ...token, code: 'a', verifier: 'a', nonce: 'a', shop });
    expect([status, code]).toEqual([400, 'INVALID_SHOP']);
  }
  expect(world.platform.state.requests).toEqual([]);
});

describe('errors of the use cases', () => {
  test('a client id that is missing matters for start and exchange alone', async () => {
    const request = await signIn();
    const { json } = await call('exchange', request);
    await world.putStore({ clientId: undefined });
    expect((await call('start', { shop: SHOP })).code).toBe('CLIENT_ID_NOT_CONFIGURED');
    expect((await call('exchange', request)).code).toBe('CLIENT_ID_NOT_CONFIGURED');
    expect((await call('storefront-token', { shop: SHOP })).code).toBe('STOREFRONT_TOKEN_UNAVAILABLE');
    const refreshed = await call('refresh', { ...token, refreshToken: json.refreshToken });
    expect(refreshed.status).toBe(200);
    const revoked = await call('revoke', { ...token, refreshToken: refreshed.json.refreshToken });
    expect(revoked.json).toEqual({ revoked: true });
  });

  test('an unknown nonce; a code that is refused', async () => {
    const request = await signIn();
    expect(await call('exchange', { ...request, nonce: 'a' })).toMatchObject({
      status: 400,
      code: 'INVALID_NONCE',
    });
    expect(await call('exchange', { ...request, code: 'a' })).toMatchObject({
      status: 400,
      code: 'SIGN_IN_REJECTED',
    });
  });

  test('503 says when to try again', async () => {
    world.platform.state.tokenFaults.push({ status: 503 });
    const { status, headers, code } = await call('exchange', await signIn());
    expect([status, code]).toEqual([503, 'TEMPORARILY_UNAVAILABLE']);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  });
});

test('returns the documented fields at start, exchange, refresh and revoke', async () => {
  const { json: started } = await call('start', { shop: SHOP });
  expect(Object.keys(started).sort()).toEqual(['authUrl', 'nonce', 'redirectUri', 'state', 'verifier']);
  const challenge = createHash('sha256').update(String(started.verifier)).digest('base64url');
  expect(Object.fromEntries(new URL(String(started.authUrl)).searchParams)).toMatchObject({
    ...{ client_id: CLIENT_ID, redirect_uri: started.redirectUri, state: started.state },
    ...{ code_challenge: challenge, code_challenge_method: 'S256' },
  });
  const startedAtMs = Date.now();
  const exchanged = await call('exchange', await signIn());
  const tokens = {
    accessToken: expect.stringMatching(/^SVC_CT_[\w-]+$/),
    refreshToken: expect.stringMatching(/^SVC_RT_[\w-]+$/),
    ...{ customerId: ADA, expiresAt: expect.any(String) },
  };
  expect([exchanged.status, exchanged.json]).toEqual([200, tokens]);
  const { refreshToken, accessToken } = exchanged.json;
  const refreshed = await call('refresh', { shop: SHOP, customerId: `${ADA}`, refreshToken });
  expect([refreshed.status, refreshed.json]).toEqual([200, tokens]);
  expect(refreshed.json.refreshToken).not.toBe(refreshToken);
  expect(refreshed.json.accessToken).not.toBe(accessToken);
  for (const { json } of [exchanged, refreshed]) {
    const lifetimeMs = Date.parse(String(json.expiresAt)) - startedAtMs;
    expect([HOUR_MS - 1000 < lifetimeMs, lifetimeMs <= HOUR_MS + Date.now() - startedAtMs]).toEqual([
      true,
      true,
    ]);
  }
  const wrong = await call('revoke', { shop: SHOP, customerId: ADA, refreshToken: 'junk' });
  expect([wrong.status, wrong.code]).toEqual([401, 'INVALID_REFRESH_TOKEN']);
  const { json: newest } = await call('refresh', { ...token, refreshToken: refreshed.json.refreshToken });
  expect(newest).toEqual(tokens);
  const revoked = await call('revoke', { ...token, refreshToken: newest.refreshToken });
  expect([revoked.status, revoked.json]).toEqual([200, { revoked: true }]);
  for (const ended of [newest, refreshed.json, exchanged.json]) {
    const again = await call('refresh', { ...token, refreshToken: ended.refreshToken });
    expect([again.status, again.code]).toEqual([401, 'INVALID_REFRESH_TOKEN']);
  }
});

// The last: without its table nothing works any more.
describe('answers of the API document', () => {
  // These failures are logged as errors.
  beforeAll(() => {
    for (const stream of [process.stdout, process.stderr])
      jest.spyOn(stream, 'write').mockImplementation(() => true);
  });
  afterAll(() => void jest.restoreAllMocks());

  test('a token for the catalogue, where the store has one', async () => {
    expect((await call('storefront-token', { shop: SHOP })).code).toBe('STOREFRONT_TOKEN_UNAVAILABLE');
    await world.putStore({ storefrontAccessToken: 'the token of the store' });
    expect((await call('storefront-token', { shop: SHOP })).json).toEqual({
      storefrontAccessToken: 'the token of the store',
      shop: SHOP,
    });
  });

  test('returns INTERNAL_ERROR for a store without sign-in settings', async () => {
    await world.putStore({ signIn: undefined as never });
    const { status, code } = await call('start', { shop: SHOP });
    expect([status, code]).toEqual([500, 'INTERNAL_ERROR']);
  });

  test('without the table nothing is refused for good; then every error of the document has been answered', async () => {
    await world.closeTable();
    for (const step of steps) {
      const { code } = await call(step, { ...token, code: 'a', verifier: 'a', nonce: 'a' });
      expect([step, code]).toEqual([step, 'TEMPORARILY_UNAVAILABLE']);
    }
    answers.expectComplete();
  });
});
