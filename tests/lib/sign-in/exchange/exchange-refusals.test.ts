import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { exchangeCodeForTokens } from '../../../../lib/sign-in/exchange/exchange-code-for-tokens.ts';
import { ADA, outcome, signedIn, signInToCode } from '../world/journey.ts';
import { createWorld, SHOP_ID, type World } from '../world/world.ts';

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(() => world.close());

const sessions = () => world.deps.sessions.listOf(SHOP_ID, ADA);
const MINUTE = 60;
const alter = (text: string, at: number) =>
  text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);

describe('exchange refuses', () => {
  test.each<[string, (request: { nonce: string; verifier: string }) => object]>([
    ['an unknown nonce', () => ({ nonce: 'AAAA' })],
    ['an altered nonce', ({ nonce }) => ({ nonce: alter(nonce, 30) })],
    ['a nonce with another start time', ({ nonce }) => ({ nonce: alter(nonce, 28) })],
    ['another verifier', ({ verifier }) => ({ verifier: alter(verifier, 5) })],
  ])('refuses %s before any platform request', async (_what, change) => {
    const request = await signInToCode(world);
    const altered = { ...request, ...change(request) };
    expect(await outcome(exchangeCodeForTokens(world.deps, altered))).toBe('INVALID_NONCE');
    expect(world.platform.state.requests).toEqual([]);
  });

  test('refuses a code that first arrives after 15 minutes', async () => {
    const request = await signInToCode(world);
    world.advance(15 * MINUTE + 1);
    expect(await outcome(exchangeCodeForTokens(world.deps, request))).toBe('INVALID_NONCE');
  });

  test('a code that the platform refuses, and every code after it', async () => {
    const request = await signInToCode(world);
    const refused = { ...request, code: 'junk' };
    expect(await outcome(exchangeCodeForTokens(world.deps, refused))).toBe('SIGN_IN_REJECTED');
    expect(await outcome(exchangeCodeForTokens(world.deps, refused))).toBe('SIGN_IN_REJECTED');
    expect(await outcome(exchangeCodeForTokens(world.deps, request))).toBe('INVALID_NONCE');
    expect(await sessions()).toEqual([]);
  });

  test('refuses a code of another sign-in with the nonce and verifier of this one', async () => {
    const attacker = await signInToCode(world, '7001002');
    const victim = await signInToCode(world);
    const injected = { ...victim, code: attacker.code };
    expect(await outcome(exchangeCodeForTokens(world.deps, injected))).toBe('SIGN_IN_REJECTED');
    expect(await sessions()).toEqual([]);
  });

  test('another code after the sign-in is done', async () => {
    const request = await signInToCode(world);
    await exchangeCodeForTokens(world.deps, request);
    expect(await outcome(exchangeCodeForTokens(world.deps, { ...request, code: 'other' }))).toBe(
      'INVALID_NONCE',
    );
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
    expect(await outcome(exchangeCodeForTokens(world.deps, request))).toBe('SIGN_IN_REJECTED');
    world.platform.state.claims = {};
    expect(await outcome(exchangeCodeForTokens(world.deps, request))).toBe('SIGN_IN_REJECTED');
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
    expect(await outcome(exchangeCodeForTokens(world.deps, request))).toBe('TEMPORARILY_UNAVAILABLE');
    expect(world.logs).toContainEqual(
      expect.objectContaining({ fields: expect.objectContaining({ alarm: 'sign_in_discovery' }) }),
    );
    expect(world.platform.codeGrants()).toBe(0);
  });
});
