import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { exchangeCodeForTokens } from '../../../../lib/sign-in/exchange/exchange-code-for-tokens.ts';
import type { TokenPair } from '../../../../lib/sign-in/sessions/token-pair.ts';
import { ADA, outcome, refreshWith, revokeWith, signedIn, signInToCode, use } from '../world/journey.ts';
import { createWorld, SHOP_ID, type World } from '../world/world.ts';

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(() => world.close());

const sessions = () => world.deps.sessions.listOf(SHOP_ID, ADA);
const MINUTE = 60;

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
    const pair = await exchangeCodeForTokens(world.deps, await signInToCode(world, subject));
    expect(pair.customerId).toBe(ADA);
  });

  test('an opaque subject that the platform cannot name', async () => {
    world.platform.state.customerId = null;
    const request = await signInToCode(world, 'f3a1-opaque');
    expect(await outcome(exchangeCodeForTokens(world.deps, request))).toBe('SIGN_IN_REJECTED');
  });

  test.each([
    ['digits', '7001001'],
    ['an opaque subject', 'f3a1-opaque'],
  ])(
    '%s, and the platform cannot be asked who it is: the retry gives the tokens, with one code grant',
    async (_what, subject) => {
      world.platform.state.faults.set('customer', { status: 503 });
      const request = await signInToCode(world, subject);
      expect(await outcome(exchangeCodeForTokens(world.deps, request))).toBe('TEMPORARILY_UNAVAILABLE');
      world.platform.state.faults.clear();
      expect((await exchangeCodeForTokens(world.deps, request)).customerId).toBe(ADA);
      expect(world.platform.codeGrants()).toBe(1);
    },
  );

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
    expect(await outcome(exchangeCodeForTokens(world.deps, request))).toBe('TEMPORARILY_UNAVAILABLE');
    expect((await exchangeCodeForTokens(world.deps, request)).customerId).toBe(ADA);
  });

  test('its answer is lost: the same request gives the same tokens, until they are used', async () => {
    const request = await signInToCode(world);
    const pair = await exchangeCodeForTokens(world.deps, request);
    expect(await exchangeCodeForTokens(world.deps, request)).toEqual(pair);
    expect(await exchangeCodeForTokens(world.createContainer(), request)).toEqual(pair);
    await use(world.deps, pair);
    expect(await outcome(exchangeCodeForTokens(world.deps, request))).toBe('INVALID_NONCE');
    expect(await outcome(refreshWith(world.deps, pair))).toBe('ok');
  });

  test('after 15 minutes a lost answer is lost', async () => {
    const request = await signInToCode(world);
    await exchangeCodeForTokens(world.deps, request);
    world.advance(15 * MINUTE + 1);
    expect(await outcome(exchangeCodeForTokens(world.deps, request))).toBe('INVALID_NONCE');
  });

  test.each([
    ['used', (pair: TokenPair) => use(world.deps, pair)],
    ['refreshed', (pair: TokenPair) => refreshWith(world.deps, pair)],
  ])('a code that comes again long after its tokens were %s ends the session', async (_what, first) => {
    const request = await signInToCode(world);
    const pair = await exchangeCodeForTokens(world.deps, request);
    await first(pair);
    world.advance(61);
    expect(await outcome(exchangeCodeForTokens(world.deps, request))).toBe('INVALID_NONCE');
    expect(await outcome(use(world.deps, pair))).toBe('UNAUTHENTICATED');
    expect((await sessions()).map(({ status, revokedReason }) => [status, revokedReason])).toEqual([
      ['revoked', 'code_reuse'],
    ]);
  });

  test('a revoked session is not made again', async () => {
    const request = await signInToCode(world);
    await revokeWith(world.deps, await exchangeCodeForTokens(world.deps, request));
    expect(await outcome(exchangeCodeForTokens(world.deps, request))).toBe('INVALID_NONCE');
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
