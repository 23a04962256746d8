import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ADA, crashAt, outcome, refreshWith, revokeWith, signedIn, use } from './world/journey.ts';
import { createWorld, SHOP_ID, type World } from './world/world.ts';

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(() => world.close());

const onlySession = async () => (await world.deps.sessions.listOf(SHOP_ID, ADA))[0];

describe('revoke', () => {
  test('junk, for a customer with a sign-in and for one without', async () => {
    expect(await outcome(revokeWith(world.deps, { refreshToken: 'junk' }))).toBe('TOKEN_NOT_FOUND');
    await signedIn(world);
    expect(await outcome(revokeWith(world.deps, { refreshToken: 'junk' }))).toBe('INVALID_REFRESH_TOKEN');
  });

  test('ends the session, for good; repeating it answers the same', async () => {
    const pair = await signedIn(world);
    expect(await revokeWith(world.deps, pair)).toEqual({ revoked: true });
    expect(await revokeWith(world.deps, pair)).toEqual({ revoked: true });
    expect(await outcome(refreshWith(world.deps, pair))).toBe('INVALID_REFRESH_TOKEN');
    expect(await outcome(use(world.deps, pair))).toBe('UNAUTHENTICATED');
    const session = await onlySession();
    expect(session).toMatchObject({ status: 'revoked' });
    expect(session?.linkTokens).toBeUndefined();
    expect(session?.deviceLabel).toBeUndefined();
    expect(world.logs).toContainEqual({
      message: 'session_revoked',
      fields: { shopId: SHOP_ID, customerId: ADA, sessionId: session?.sessionId, reason: 'customer' },
    });
  });

  test('any generation will do, also of an expired session', async () => {
    const first = await signedIn(world);
    const second = await refreshWith(world.deps, first);
    await refreshWith(world.deps, second);
    world.advance(91 * 24 * 3600);
    expect(await revokeWith(world.deps, first)).toEqual({ revoked: true });
    world.advance(90 * 24 * 3600);
    expect(await outcome(revokeWith(world.deps, first))).toBe('TOKEN_NOT_FOUND');
  });

  test('logs the customer out at the platform, and does not mind if that fails', async () => {
    await revokeWith(world.deps, await signedIn(world));
    expect(world.platform.state.requests.at(-1)?.path).toMatch(/logout$/);
    world.platform.state.faults.set('logout', { cut: true });
    expect(await revokeWith(world.deps, await signedIn(world))).toEqual({ revoked: true });
  });

  test('a crash after the tombstone: revoked, and the repeat answers', async () => {
    const pair = await signedIn(world);
    await crashAt('revoke.after-tombstone', () => revokeWith(world.deps, pair));
    expect(await outcome(use(world.deps, pair))).toBe('UNAUTHENTICATED');
    expect(await revokeWith(world.deps, pair)).toEqual({ revoked: true });
  });

  test('between the read and the write of a refresh: no new pair', async () => {
    const pair = await signedIn(world);
    const slow = world.createContainer();
    const { rotate } = slow.sessions;
    Object.assign(slow.sessions, {
      rotate: async (...parameters: Parameters<typeof rotate>) => {
        await revokeWith(world.deps, pair);
        return rotate(...parameters);
      },
    });
    expect(await outcome(refreshWith(slow, pair))).toBe('INVALID_REFRESH_TOKEN');
    expect(await onlySession()).toMatchObject({ status: 'revoked', generation: 1 });
  });

  test('after the write of a refresh: the new pair is of no use', async () => {
    const pair = await signedIn(world);
    const next = await refreshWith(world.deps, pair);
    await revokeWith(world.deps, pair);
    expect(await outcome(use(world.deps, next))).toBe('UNAUTHENTICATED');
    expect(await outcome(refreshWith(world.deps, next))).toBe('INVALID_REFRESH_TOKEN');
  });

  test('racing with refreshes: revoked, and no pair is of use', async () => {
    for (let i = 0; i < 10; i++) {
      const pair = await signedIn(world);
      const [revoked, ...refreshed] = await Promise.allSettled([
        revokeWith(world.deps, pair),
        refreshWith(world.deps, pair),
        refreshWith(world.createContainer(), pair),
      ]);
      expect(revoked.status).toBe('fulfilled');
      for (const one of refreshed) {
        if (one.status === 'rejected') continue;
        expect(await outcome(use(world.deps, one.value))).toBe('UNAUTHENTICATED');
        expect(await outcome(refreshWith(world.deps, one.value))).toBe('INVALID_REFRESH_TOKEN');
      }
    }
  });
});
