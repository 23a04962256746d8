import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { exchange } from '../../../lib/sign-in/exchange.ts';
import { start } from '../../../lib/sign-in/start.ts';
import type { TokenPair } from '../../../lib/sign-in/token-pair.ts';
import {
  ADA,
  crashAt,
  outcome,
  refreshWith,
  revokeWith,
  signedIn,
  signInToCode,
  use,
} from './world/journey.ts';
import { createWorld, SHOP, SHOP_ID, type World } from './world/world.ts';

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(() => world.close());

const sessions = () => world.deps.sessions.listOf(SHOP_ID, ADA);
const MINUTE = 60;
const alter = (text: string, at: number) =>
  text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);

describe('start', () => {
  test('without a client id', async () => {
    await world.putStore({ clientId: undefined });
    expect(await outcome(start(world.deps, { shop: SHOP }))).toBe('CLIENT_ID_NOT_CONFIGURED');
  });

  test('on a store that was uninstalled', async () => {
    await world.putStore({ status: 'uninstalled' });
    expect(await outcome(start(world.deps, { shop: SHOP }))).toBe('SHOP_NOT_INSTALLED');
  });

  test('the address has everything the platform asks for, and neither nonce nor verifier', async () => {
    const { authUrl, verifier, nonce, state, redirectUri } = await start(world.deps, { shop: SHOP });
    expect(Object.fromEntries(new URL(authUrl).searchParams)).toMatchObject({
      client_id: 'client-1',
      response_type: 'code',
      scope: 'openid email customer-account-api:full',
      redirect_uri: `shop.${SHOP_ID}.app://callback`,
      code_challenge_method: 'S256',
      state,
    });
    expect(redirectUri).toBe(`shop.${SHOP_ID}.app://callback`);
    expect(authUrl).not.toContain(nonce);
    expect(authUrl).not.toContain(verifier);
    expect(world.platform.state.requests).toEqual([]);
  });
});

describe('exchange refuses', () => {
  test.each<[string, (request: { nonce: string; verifier: string }) => object]>([
    ['an unknown nonce', () => ({ nonce: 'AAAA' })],
    ['an altered nonce', ({ nonce }) => ({ nonce: alter(nonce, 30) })],
    ['a nonce with another start time', ({ nonce }) => ({ nonce: alter(nonce, 28) })],
    ['another verifier', ({ verifier }) => ({ verifier: alter(verifier, 5) })],
  ])('%s, before any platform request', async (_what, change) => {
    const request = await signInToCode(world);
    const altered = { ...request, ...change(request) };
    expect(await outcome(exchange(world.deps, altered))).toBe('INVALID_NONCE');
    expect(world.platform.state.requests).toEqual([]);
  });

  test('a code first brought after 15 minutes', async () => {
    const request = await signInToCode(world);
    world.advance(15 * MINUTE + 1);
    expect(await outcome(exchange(world.deps, request))).toBe('INVALID_NONCE');
  });

  test('a code that the platform refuses, and every code after it', async () => {
    const request = await signInToCode(world);
    const refused = { ...request, code: 'junk' };
    expect(await outcome(exchange(world.deps, refused))).toBe('SIGN_IN_REJECTED');
    expect(await outcome(exchange(world.deps, refused))).toBe('SIGN_IN_REJECTED');
    expect(await outcome(exchange(world.deps, request))).toBe('INVALID_NONCE');
    expect(await sessions()).toEqual([]);
  });

  test('another code after the sign-in is done', async () => {
    const request = await signInToCode(world);
    await exchange(world.deps, request);
    expect(await outcome(exchange(world.deps, { ...request, code: 'other' }))).toBe('INVALID_NONCE');
  });

  test.each<[string, Record<string, unknown>]>([
    ['another issuer', { iss: 'https://elsewhere.example' }],
    ['another audience', { aud: 'client-2' }],
    ['another nonce', { nonce: 'another' }],
    ['an expired id_token', { exp: 1000 }],
    ['no nonce', { nonce: undefined }],
    ['no subject', { sub: undefined }],
  ])('%s', async (_what, claims) => {
    world.platform.state.claims = claims;
    const request = await signInToCode(world);
    expect(await outcome(exchange(world.deps, request))).toBe('SIGN_IN_REJECTED');
    world.platform.state.claims = {};
    expect(await outcome(exchange(world.deps, request))).toBe('SIGN_IN_REJECTED');
    expect(await sessions()).toEqual([]);
  });

  test.each(['none', 'HS256', 'RS512'])('an id_token that claims the algorithm %s', async (alg) => {
    world.platform.state.header = { alg };
    expect(await outcome(signedIn(world))).toBe('SIGN_IN_REJECTED');
  });

  test('an id_token that another key of the same id has signed', async () => {
    world.platform.state.servedKeys = [world.platform.newKey('key-1')];
    expect(await outcome(signedIn(world))).toBe('SIGN_IN_REJECTED');
  });

  test('a discovery that differs from the pinned one: not followed, and an alarm', async () => {
    const request = await signInToCode(world);
    world.platform.state.issuer = 'https://elsewhere.example';
    expect(await outcome(exchange(world.deps, request))).toBe('TEMPORARILY_UNAVAILABLE');
    expect(world.logs).toContainEqual(
      expect.objectContaining({ fields: expect.objectContaining({ alarm: 'sign_in_discovery' }) }),
    );
    expect(world.platform.codeGrants()).toBe(0);
  });
});

describe('exchange', () => {
  test('gives tokens that work', async () => {
    const pair = await signedIn(world);
    expect(pair).toMatchObject({ customerId: ADA, expiresAt: expect.stringMatching(/^\d{4}-.*Z$/) });
    expect(pair.accessToken).toMatch(/^SVC_CT_/);
    expect(pair.refreshToken).toMatch(/^SVC_RT_/);
    expect(Date.parse(pair.expiresAt) - world.now()).toBeGreaterThan(59 * MINUTE * 1000);
    await use(world.deps, pair);
  });

  test.each([
    ['digits', '7001001'],
    ['a global id', 'gid://shopify/Customer/7001001'],
    ['an opaque subject, by asking once', 'f3a1-opaque'],
  ])('names the customer from %s', async (_what, subject) => {
    const pair = await exchange(world.deps, await signInToCode(world, subject));
    expect(pair.customerId).toBe(ADA);
  });

  test('an opaque subject that the platform cannot name', async () => {
    world.platform.state.customerId = null;
    const request = await signInToCode(world, 'f3a1-opaque');
    expect(await outcome(exchange(world.deps, request))).toBe('SIGN_IN_REJECTED');
  });

  test('the platform cannot be asked who it is: the retry gives the tokens, with one code grant', async () => {
    world.platform.state.faults.set('customer', { status: 503 });
    const request = await signInToCode(world, 'f3a1-opaque');
    expect(await outcome(exchange(world.deps, request))).toBe('TEMPORARILY_UNAVAILABLE');
    world.platform.state.faults.clear();
    expect((await exchange(world.deps, request)).customerId).toBe(ADA);
    expect(world.platform.codeGrants()).toBe(1);
  });

  test.each([
    ['HTML', { status: 502, body: '<h1>Bad gateway</h1>' }],
    ['520', { status: 520 }],
    ['an empty 401', { status: 401 }],
    ['429', { status: 429 }],
    ['a cut connection', { cut: true }],
    ['200 that is HTML', { status: 200, body: '<h1>Hello</h1>' }],
    ['200 that is cut', { status: 200, type: 'application/json', body: '{"access_token":' }],
    ['another error', { status: 400, type: 'application/json', body: '{"error":"invalid_client"}' }],
  ])('the platform answers %s: the same code may be tried again', async (_what, fault) => {
    world.platform.state.tokenFaults.push(fault);
    const request = await signInToCode(world);
    expect(await outcome(exchange(world.deps, request))).toBe('TEMPORARILY_UNAVAILABLE');
    expect((await exchange(world.deps, request)).customerId).toBe(ADA);
  });

  test('its answer is lost: the same request gives the same tokens, until they are used', async () => {
    const request = await signInToCode(world);
    const pair = await exchange(world.deps, request);
    expect(await exchange(world.deps, request)).toEqual(pair);
    expect(await exchange(world.createContainer(), request)).toEqual(pair);
    await use(world.deps, pair);
    expect(await outcome(exchange(world.deps, request))).toBe('INVALID_NONCE');
    expect(await outcome(refreshWith(world.deps, pair))).toBe('ok');
  });

  test('after 15 minutes a lost answer is lost', async () => {
    const request = await signInToCode(world);
    await exchange(world.deps, request);
    world.advance(15 * MINUTE + 1);
    expect(await outcome(exchange(world.deps, request))).toBe('INVALID_NONCE');
  });

  test.each([
    ['used', (pair: TokenPair) => use(world.deps, pair)],
    ['refreshed', (pair: TokenPair) => refreshWith(world.deps, pair)],
  ])('a code that comes again long after its tokens were %s ends the session', async (_what, first) => {
    const request = await signInToCode(world);
    const pair = await exchange(world.deps, request);
    await first(pair);
    world.advance(61);
    expect(await outcome(exchange(world.deps, request))).toBe('INVALID_NONCE');
    expect(await outcome(use(world.deps, pair))).toBe('UNAUTHENTICATED');
    expect((await sessions()).map(({ status, revokedReason }) => [status, revokedReason])).toEqual([
      ['revoked', 'code_reuse'],
    ]);
  });

  test('a revoked session is not made again', async () => {
    const request = await signInToCode(world);
    await revokeWith(world.deps, await exchange(world.deps, request));
    expect(await outcome(exchange(world.deps, request))).toBe('INVALID_NONCE');
  });

  test('at most 20 sessions: the longest idle goes', async () => {
    const first = await signedIn(world);
    for (let i = 0; i < 20; i++) {
      world.advance(1);
      await signedIn(world);
    }
    const live = (await sessions()).filter(({ status }) => status === 'active');
    expect(live).toHaveLength(20);
    expect(await outcome(use(world.deps, first))).toBe('UNAUTHENTICATED');
  });
});

describe('exchange, when something dies', () => {
  test.each([
    ['after-claim', 1],
    ['after-code-grant', 1],
    ['after-keep-grant', 1],
    ['before-commit', 1],
    ['after-commit', 1],
    ['after-session-put', 1],
  ] as const)('crash %s: the retry ends it after the lease', async (point, grants) => {
    const request = await signInToCode(world);
    await crashAt(`exchange.${point}`, () => exchange(world.deps, request));
    world.advance(16);
    const again = await outcome(exchange(world.createContainer(), request));
    // The grant itself is lost only between the platform's answer and the first write after it.
    expect(again).toBe(point === 'after-code-grant' ? 'SIGN_IN_REJECTED' : 'ok');
    expect(world.platform.codeGrants()).toBe(point === 'after-code-grant' ? 2 : grants);
    expect(await sessions()).toHaveLength(point === 'after-code-grant' ? 0 : 1);
  });

  test('during the lease of a dead container: 503 with Retry-After, not stuck', async () => {
    const request = await signInToCode(world);
    await crashAt('exchange.after-claim', () => exchange(world.deps, request));
    const refused = exchange(world.deps, request);
    await expect(refused).rejects.toMatchObject({ status: 503, retryAfterSeconds: expect.any(Number) });
  });

  test('the key set is out of reach after the code grant: the retry gives the tokens', async () => {
    await signedIn(world);
    world.platform.rotateKeys();
    world.platform.state.faults.set('jwks.json', { status: 503 });
    const request = await signInToCode(world);
    world.advance(11);
    expect(await outcome(exchange(world.deps, request))).toBe('TEMPORARILY_UNAVAILABLE');
    expect(world.platform.codeGrants()).toBe(2);
    world.platform.state.faults.clear();
    world.advance(2 * 3600 - 90 * MINUTE);
    expect(await outcome(exchange(world.deps, request))).toBe('ok');
    expect(world.platform.codeGrants()).toBe(2);
  });

  test.each(['after', 'repeated'] as const)('every write is applied, its answer lost (%s)', async (fault) => {
    for (let nth = 0; nth < 6; nth++) {
      const request = await signInToCode(world);
      let writes = 0;
      world.faults.plan = ({ operation }) =>
        ['put', 'update'].includes(operation) && writes++ === nth ? fault : undefined;
      const first = await outcome(exchange(world.deps, request));
      world.faults.plan = () => undefined;
      if (fault === 'repeated') expect(first).toBe('ok');
      world.advance(16);
      expect(await outcome(exchange(world.createContainer(), request))).toBe('ok');
    }
    expect(world.platform.codeGrants()).toBe(6);
    expect(await sessions()).toHaveLength(6);
  });

  test('the table is down: 503, and nothing is lost', async () => {
    const request = await signInToCode(world);
    world.faults.plan = () => 'before';
    expect(await outcome(exchange(world.deps, request))).toBe('TEMPORARILY_UNAVAILABLE');
    world.faults.plan = () => undefined;
    expect(await outcome(exchange(world.deps, request))).toBe('ok');
  });
});

describe('exchange, in parallel', () => {
  test('a container that comes back after its lease changes nothing any more', async () => {
    const request = await signInToCode(world);
    let other = '';
    world.platform.state.onGrant = async () => {
      world.platform.state.onGrant = undefined;
      world.advance(16);
      other = await outcome(exchange(world.createContainer(), request));
    };
    expect(await outcome(exchange(world.deps, request))).toBe('TEMPORARILY_UNAVAILABLE');
    expect(other).toBe('SIGN_IN_REJECTED');
    expect(await outcome(exchange(world.deps, request))).toBe('SIGN_IN_REJECTED');
    expect(await sessions()).toEqual([]);
  });

  test.each([
    ['revoked', (pair: TokenPair) => revokeWith(world.deps, pair)],
    ['refreshed', (pair: TokenPair) => refreshWith(world.deps, pair)],
  ])('another one has answered, and its session is %s already: no second pair', async (_what, act) => {
    const request = await signInToCode(world);
    const slow = world.createContainer();
    const { create } = slow.sessions;
    Object.assign(slow.sessions, {
      create: async (session: Parameters<typeof create>[0]) => {
        await act(await exchange(world.deps, request));
        return create(session);
      },
    });
    expect(await outcome(exchange(slow, request))).toBe('INVALID_NONCE');
  });

  test('50 identical ones: tokens or 503, one session, one code grant', async () => {
    const request = await signInToCode(world);
    const containers = Array.from({ length: 5 }, () => world.createContainer());
    const all = await Promise.allSettled(
      Array.from({ length: 50 }, (_, i) => exchange(containers[i % 5] ?? world.deps, request)),
    );
    const pairs = all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const refusals = all.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
    expect(new Set(pairs.map(({ refreshToken }) => refreshToken)).size).toBe(1);
    expect(refusals.every((code) => code === 'TEMPORARILY_UNAVAILABLE')).toBe(true);
    expect(world.platform.codeGrants()).toBe(1);
    expect(await sessions()).toHaveLength(1);
  });
});
