/** The sign-in of a web page: which pages may start one, and what binds the exchange to the page. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { WebRedirectUri } from '../../../lib/domain/sign-in/web-redirect-uri.ts';
import type { WebSignIn } from '../../../lib/domain/sign-in/web-sign-in.ts';
import { exchangeCodeForTokens } from '../../../lib/sign-in/exchange/exchange-code-for-tokens.ts';
import { refreshTokens } from '../../../lib/sign-in/sessions/refresh-tokens.ts';
import { startSignIn } from '../../../lib/sign-in/start-sign-in.ts';
import { outcome, use } from './world/journey.ts';
import { CLIENT_ID, createWorld, SHOP, SHOP_ID, type World } from './world/world.ts';

const PAGE = 'https://shop.example.com/account' as WebRedirectUri;
const OTHER = 'https://other.example.com/' as WebRedirectUri;
const ORIGIN = 'https://shop.example.com';
const WEB: WebSignIn = { clientId: 'web-client-1', redirectUris: [PAGE, OTHER], revision: 1 };
const HOUR = 3600;

let world: World;
beforeEach(async () => {
  world = await createWorld();
  await world.putStore({ webSignIn: WEB });
});
afterEach(() => world.close());

const startAt = (redirectUri: string | null | undefined) =>
  startSignIn(world.deps, { shop: SHOP, redirectUri });

async function signInToCode(redirectUri: string | undefined) {
  const { authUrl, verifier, nonce } = await startAt(redirectUri);
  return { shop: SHOP, code: world.platform.signIn(authUrl), verifier, nonce, userAgent: 'Browser/1' };
}

const removePage = () => world.putStore({ webSignIn: { ...WEB, redirectUris: [OTHER], revision: 2 } });
const platformOrigins = () => world.platform.state.requests.map(({ path, origin }) => [path, origin]);

describe('start', () => {
  test('sends the browser to the page, with the client of web pages', async () => {
    const { authUrl, redirectUri } = await startAt(PAGE);
    expect(redirectUri).toBe(PAGE);
    expect(Object.fromEntries(new URL(authUrl).searchParams)).toMatchObject({
      client_id: 'web-client-1',
      redirect_uri: PAGE,
      code_challenge_method: 'S256',
    });
  });

  test.each([undefined, null])('sends the browser to the app for %s', async (redirectUri) => {
    const started = await startAt(redirectUri);
    expect(started.redirectUri).toBe(`shop.${SHOP_ID}.app://callback`);
    expect(new URL(started.authUrl).searchParams.get('client_id')).toBe(CLIENT_ID);
  });

  test.each([
    'https://evil.example/account',
    `${PAGE}/`,
    `${PAGE}?next=https://evil.example`,
    `${PAGE}#`,
    'https://SHOP.example.com/account',
    'https://shop.example.com:443/account',
    'https://shop.example.com./account',
    'https://shop.example.com/x/../account',
    'https://shop.example.com@evil.example/account',
    'https://shop.example.com',
    `${PAGE} ${OTHER}`,
    `shop.${SHOP_ID}.app://callback`,
    'javascript:alert(1)',
  ])('refuses %s, and stores no sign-in', async (redirectUri) => {
    const operations: string[] = [];
    world.faults.plan = ({ operation }) => void operations.push(operation);
    expect(await outcome(startAt(redirectUri))).toBe('INVALID_REDIRECT_URI');
    expect(operations).toEqual(['get', 'get']);
  });

  test('refuses a page of another store, and every page of a store without one', async () => {
    await world.putStore({ webSignIn: { ...WEB, redirectUris: [OTHER] } });
    expect(await outcome(startAt(PAGE))).toBe('INVALID_REDIRECT_URI');
    await world.putStore({});
    expect(await outcome(startAt(PAGE))).toBe('INVALID_REDIRECT_URI');
  });

  test('needs no client id for apps', async () => {
    await world.putStore({ webSignIn: WEB, clientId: undefined });
    expect(await outcome(startAt(PAGE))).toBe('ok');
    expect(await outcome(startAt(undefined))).toBe('CLIENT_ID_NOT_CONFIGURED');
  });
});

describe('exchange', () => {
  test('completes the sign-in of a page, and tells the platform the origin of the page', async () => {
    const pair = await exchangeCodeForTokens(world.deps, await signInToCode(PAGE));
    await use(world.deps, pair);
    expect(platformOrigins()).toEqual(
      expect.arrayContaining([
        ['/oauth/token', ORIGIN],
        ['/customer', ORIGIN],
      ]),
    );
    world.advance(2 * HOUR);
    world.platform.state.requests.length = 0;
    await refreshTokens(world.deps, { shop: SHOP, ...pair });
    expect(world.platform.state.requests).toEqual([
      { path: '/oauth/token', grant: 'refresh_token', clientId: 'web-client-1', origin: ORIGIN },
    ]);
  });

  test('sends no origin for an app', async () => {
    const { authUrl, verifier, nonce } = await startAt(undefined);
    const code = world.platform.signIn(authUrl);
    const pair = await exchangeCodeForTokens(world.deps, {
      shop: SHOP,
      code,
      verifier,
      nonce,
      userAgent: 'Phone/1',
    });
    world.advance(2 * HOUR);
    await refreshTokens(world.deps, { shop: SHOP, ...pair });
    expect(platformOrigins().filter(([, origin]) => origin !== undefined)).toEqual([]);
  });

  test.each([
    ['the app', undefined],
    ['another page', OTHER],
  ])(
    'refuses a code that was issued for the page with the nonce of a sign-in of %s',
    async (_what, target) => {
      const atPage = await signInToCode(PAGE);
      const { verifier, nonce } = await startAt(target);
      const mixed = { ...atPage, verifier, nonce };
      expect(await outcome(exchangeCodeForTokens(world.deps, mixed))).toBe('SIGN_IN_REJECTED');
      expect(await world.deps.sessions.listOf(SHOP_ID, 7001001 as never)).toEqual([]);
    },
  );

  test('refuses a code whose authorization was sent to another page of the same store', async () => {
    const { authUrl, verifier, nonce } = await startAt(PAGE);
    const altered = new URL(authUrl);
    altered.searchParams.set('redirect_uri', OTHER);
    const code = world.platform.signIn(altered.href);
    const request = { shop: SHOP, code, verifier, nonce, userAgent: 'Browser/1' };
    expect(await outcome(exchangeCodeForTokens(world.deps, request))).toBe('SIGN_IN_REJECTED');
  });

  test('refuses the sign-in of a page that was removed meanwhile, before the code is used', async () => {
    const request = await signInToCode(PAGE);
    await removePage();
    expect(await outcome(exchangeCodeForTokens(world.deps, request))).toBe('SIGN_IN_REJECTED');
    expect(world.platform.codeGrants()).toBe(0);
    await world.putStore({ webSignIn: { ...WEB, revision: 3 } });
    expect(await outcome(exchangeCodeForTokens(world.deps, request))).toBe('ok');
  });

  test('refuses a repeated exchange after the page was removed', async () => {
    const request = await signInToCode(PAGE);
    await exchangeCodeForTokens(world.deps, request);
    await removePage();
    expect(await outcome(exchangeCodeForTokens(world.deps, request))).toBe('SIGN_IN_REJECTED');
  });

  test('refuses to continue with a stored response of the platform after the page was removed', async () => {
    const request = await signInToCode(PAGE);
    world.platform.state.faults.set('customer', { status: 503 });
    expect(await outcome(exchangeCodeForTokens(world.deps, request))).toBe('TEMPORARILY_UNAVAILABLE');
    expect(world.platform.codeGrants()).toBe(1);
    world.platform.state.faults.clear();
    await removePage();
    expect(await outcome(exchangeCodeForTokens(world.deps, request))).toBe('SIGN_IN_REJECTED');
  });

  test('keeps sessions of a page that was removed later', async () => {
    const pair = await exchangeCodeForTokens(world.deps, await signInToCode(PAGE));
    await removePage();
    await use(world.deps, pair);
    expect(await outcome(refreshTokens(world.deps, { shop: SHOP, ...pair }))).toBe('ok');
  });

  test('completes the sign-in of an app while the list of pages changes', async () => {
    const request = await signInToCode(undefined);
    await removePage();
    expect(await outcome(exchangeCodeForTokens(world.deps, request))).toBe('ok');
  });

  test('completes the sign-in of another page while one is removed', async () => {
    const request = await signInToCode(OTHER);
    await removePage();
    expect(await outcome(exchangeCodeForTokens(world.deps, request))).toBe('ok');
  });

  test('refuses a sign-in whose client was replaced, so that the page starts again', async () => {
    const request = await signInToCode(PAGE);
    await world.putStore({ webSignIn: { ...WEB, clientId: 'web-client-2', revision: 2 } });
    expect(await outcome(exchangeCodeForTokens(world.deps, request))).toBe('SIGN_IN_REJECTED');
  });
});
