import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { CustomerId } from '../../../../lib/domain/customer-id.ts';
import type { SessionId } from '../../../../lib/domain/session-id.ts';
import type { ShopDomain } from '../../../../lib/domain/shop-domain.ts';
import type { ShopId } from '../../../../lib/domain/shop-id.ts';
import { exchangeCodeForTokens } from '../../../../lib/sign-in/exchange/exchange-code-for-tokens.ts';
import { refreshTokens } from '../../../../lib/sign-in/sessions/refresh-tokens.ts';
import { startSignIn } from '../../../../lib/sign-in/start-sign-in.ts';
import { createSessionRepository } from '../../../../lib/storage/sessions/sessions.ts';
import { createStoreRepository } from '../../../../lib/storage/stores.ts';
import type { Table } from '../../../../lib/storage/table.ts';
import { ADA, outcome, refreshWith, revokeWith, signedIn, signInToCode, use } from '../world/journey.ts';
import { createWorld, SHOP, SHOP_ID, type World } from '../world/world.ts';

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(() => world.close());

const DAY = 24 * 3600;

async function onlySession() {
  const [session] = await world.deps.sessions.listOf(SHOP_ID, ADA);
  if (session === undefined) throw new Error('no session');
  return session;
}

describe('refresh refuses', () => {
  test.each([
    ['junk', 'junk'],
    ['a token with an altered bit', undefined],
  ])('%s: 401 if the customer has a sign-in', async (_what, junk) => {
    const { refreshToken } = await signedIn(world);
    const altered = refreshToken.at(-2) === 'A' ? 'B' : 'A';
    const token = { refreshToken: junk ?? `${refreshToken.slice(0, -2)}${altered}${refreshToken.slice(-1)}` };
    expect(await outcome(refreshWith(world.deps, token))).toBe('INVALID_REFRESH_TOKEN');
  });

  test('junk at the cost of two reads: of the store, and of what is stored for the customer', async () => {
    const { refreshToken } = await signedIn(world);
    const calls: string[] = [];
    world.faults.plan = ({ operation }) => void calls.push(operation);
    const bytes = Buffer.from(refreshToken.slice('SVC_RT_'.length), 'base64url');
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
    for (const junk of ['junk', `SVC_RT_${bytes.toString('base64url')}`]) {
      for (const send of [refreshWith, revokeWith])
        expect(await outcome(send(world.deps, { refreshToken: junk }))).toBe('INVALID_REFRESH_TOKEN');
    }
    expect(calls).toEqual(Array(4).fill(['get', 'query']).flat());
  });

  test('refuses an invalid token at the price of one item, however many sign-ins there are', async () => {
    for (let i = 0; i < 4; i++) await signedIn(world);
    const customer = { shopId: SHOP_ID, customerId: ADA };
    const revocation = { nowMs: 1, expiresAt: 2 ** 32, reason: 'operator' } as const;
    await world.deps.sessions.markSignInsEnded(customer, revocation);
    const read: number[] = [];
    const counting: Table = {
      ...world.table,
      query: async (selection) => {
        const page = await world.table.query(selection);
        read.push(page.items.length);
        return page;
      },
    };
    const deps = { ...world.deps, sessions: createSessionRepository({ table: counting }) };
    for (const ask of [refreshWith, revokeWith]) {
      expect(await outcome(ask(deps, { refreshToken: 'junk' }))).toBe('INVALID_REFRESH_TOKEN');
    }
    expect(read).toEqual([1, 1]);
  });

  test('refuses a session of a past sign-in by the next one, and returns 404 to a customer who was only ended', async () => {
    const stored = await world.deps.sessions.markSignInsEnded(
      { shopId: SHOP_ID, customerId: ADA },
      { nowMs: 1, expiresAt: 2 ** 32, reason: 'operator' },
    );
    expect(stored).toBe('done');
    expect(await outcome(refreshWith(world.deps, { refreshToken: 'junk' }))).toBe('TOKEN_NOT_FOUND');
    await signedIn(world);
    const past = {
      ...(await onlySession()),
      sessionId: `-${'-'.repeat(21)}` as SessionId,
      idleExpiresAtMs: 1,
    };
    await world.deps.sessions.create(past);
    expect(await outcome(refreshWith(world.deps, { refreshToken: 'junk' }))).toBe('INVALID_REFRESH_TOKEN');
  });

  test('refuses an access token in place of a refresh token', async () => {
    const { accessToken } = await signedIn(world);
    expect(await outcome(refreshWith(world.deps, { refreshToken: accessToken }))).toBe(
      'INVALID_REFRESH_TOKEN',
    );
    const disguised = accessToken.replace('SVC_CT_', 'SVC_RT_');
    expect(await outcome(refreshWith(world.deps, { refreshToken: disguised }))).toBe('INVALID_REFRESH_TOKEN');
  });

  test('returns 404 for a customer without stored sessions, whatever the token', async () => {
    const { refreshToken } = await signedIn(world);
    const of = (customerId: number, token: string) =>
      outcome(
        refreshTokens(world.deps, { shop: SHOP, customerId: customerId as CustomerId, refreshToken: token }),
      );
    expect(await of(7001099, refreshToken)).toBe('TOKEN_NOT_FOUND');
    expect(await of(7001099, 'junk')).toBe('TOKEN_NOT_FOUND');
  });

  test('a token of another customer, and of another shop where the customer is signed in too', async () => {
    const pair = await signedIn(world);
    const bea = await exchangeCodeForTokens(world.deps, await signInToCode(world, '7001002'));
    const other = { shopId: 81234567002 as ShopId, domain: 'juniper-tea.myshopify.com' as ShopDomain };
    await world.putStore(other);
    await createStoreRepository({ table: world.table }).mapDomainToStore(other.domain, other.shopId);
    const { authUrl, verifier, nonce } = await startSignIn(world.deps, { shop: other.domain });
    const code = world.platform.signIn(authUrl, String(ADA));
    const request = { shop: other.domain, code, verifier, nonce, userAgent: 'Phone/1' };
    const there = await exchangeCodeForTokens(world.deps, request);
    for (const refreshToken of [bea.refreshToken, there.refreshToken]) {
      expect(await outcome(refreshWith(world.deps, { refreshToken }))).toBe('INVALID_REFRESH_TOKEN');
      expect(await outcome(revokeWith(world.deps, { refreshToken }))).toBe('INVALID_REFRESH_TOKEN');
    }
    for (const each of [pair, bea, there]) expect(await outcome(use(world.deps, each))).toBe('ok');
  });

  test('a store that is not installed', async () => {
    const { refreshToken } = await signedIn(world);
    const shop = 'nobody.myshopify.com' as ShopDomain;
    expect(await outcome(refreshTokens(world.deps, { shop, customerId: ADA, refreshToken }))).toBe(
      'SHOP_NOT_INSTALLED',
    );
    await world.putStore({ status: 'uninstalled' });
    expect(await outcome(refreshWith(world.deps, { refreshToken }))).toBe('SHOP_NOT_INSTALLED');
    expect(await outcome(refreshWith(world.deps, { refreshToken: 'junk' }))).toBe('SHOP_NOT_INSTALLED');
  });

  test('a session from before the store was installed again', async () => {
    const pair = await signedIn(world);
    world.advance(10);
    await world.putStore({ installedAtMs: world.now() });
    expect(await outcome(refreshWith(world.deps, pair))).toBe('INVALID_REFRESH_TOKEN');
    expect(await outcome(use(world.deps, pair))).toBe('UNAUTHENTICATED');
  });

  test('returns 401 after 90 idle days and for 90 more, then 404', async () => {
    const pair = await signedIn(world);
    world.advance(90 * DAY + 1);
    expect(await outcome(refreshWith(world.deps, pair))).toBe('INVALID_REFRESH_TOKEN');
    world.advance(90 * DAY - 10);
    expect(await outcome(refreshWith(world.deps, pair))).toBe('INVALID_REFRESH_TOKEN');
    world.advance(10);
    expect(await outcome(refreshWith(world.deps, pair))).toBe('TOKEN_NOT_FOUND');
    expect(await outcome(refreshWith(world.deps, { refreshToken: 'junk' }))).toBe('TOKEN_NOT_FOUND');
  });

  test('after 365 days, however often it was refreshed', async () => {
    let pair = await signedIn(world);
    for (let i = 0; i < 6; i++) {
      world.advance(60 * DAY);
      pair = await refreshWith(world.deps, pair);
    }
    expect(Date.parse(pair.expiresAt)).toBeLessThanOrEqual((await onlySession()).absoluteExpiresAtMs);
    world.advance(5 * DAY);
    expect(await outcome(refreshWith(world.deps, pair))).toBe('INVALID_REFRESH_TOKEN');
  });

  test('every session of a leaked key, once it is gone from the ring', async () => {
    const pair = await signedIn(world);
    world.ring.json = { seed: 'quite another random string' };
    world.advance(301);
    expect(await outcome(refreshWith(world.deps, pair))).toBe('INVALID_REFRESH_TOKEN');
    expect(await outcome(use(world.deps, pair))).toBe('UNAUTHENTICATED');
  });
});
