/** Sign-ins that a customer, or a store's key, has ended: none of their tokens is good, and none comes back. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { exchange } from '../../../../lib/sign-in/exchange/exchange.ts';
import { endOtherSessions, endSession } from '../../../../lib/sign-in/sessions/shown-sessions.ts';
import { ADA, outcome, refreshWith, revokeWith, signedIn, signInToCode, use } from '../world/journey.ts';
import { createWorld, SHOP_ID, type World } from '../world/world.ts';

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(() => world.close());

async function newestSession() {
  const found = await world.deps.sessions.listOf(SHOP_ID, ADA);
  const [newest] = found.sort((one, other) => other.createdAtMs - one.createdAtMs);
  if (newest === undefined) throw new Error('nobody is signed in');
  return newest;
}

const theStore = async () => {
  const found = await world.deps.stores.find(SHOP_ID);
  if (found === undefined) throw new Error('no store');
  return found;
};

describe('a sign-in that was ended', () => {
  test('is refused at the next request: access token, refresh token, after a refresh too', async () => {
    const first = await signedIn(world);
    const second = await refreshWith(world.deps, first);
    await use(world.deps, second);
    expect(await endSession(world.deps, await newestSession(), { reason: 'customer' })).toBe(true);
    for (const pair of [first, second]) {
      expect(await outcome(use(world.deps, pair))).toBe('UNAUTHENTICATED');
      expect(await outcome(refreshWith(world.deps, pair))).toBe('INVALID_REFRESH_TOKEN');
    }
    // What signs out on the device itself finds nothing left to do.
    expect(await revokeWith(world.deps, second)).toEqual({ revoked: true });
  });

  test('is logged with the key that ended it, for a restore to end it again', async () => {
    await signedIn(world);
    const session = await newestSession();
    const keyId = 'key_000000000001' as never;
    await endSession(world.deps, session, { reason: 'store', keyId });
    const { sessionId } = session;
    const fields = { shopId: SHOP_ID, customerId: ADA, sessionId, reason: 'store', keyId };
    expect(world.logs).toContainEqual({ message: 'session_revoked', fields });
  });

  test('is absent once its life and 90 days are over', async () => {
    await signedIn(world);
    const session = await newestSession();
    world.advance(181 * 24 * 3600);
    expect(await endSession(world.deps, session, { reason: 'customer' })).toBe(false);
  });
});

describe('ending all others', () => {
  test('keeps the one that asks, with its tokens; a sign-in under way makes no session', async () => {
    const thief = await signedIn(world);
    const underWay = await signInToCode(world);
    world.advance(1);
    const own = await signedIn(world);
    const current = await newestSession();
    world.advance(1);
    expect(await endOtherSessions(world.deps, await theStore(), current)).toBe(1);
    expect(await outcome(use(world.deps, thief))).toBe('UNAUTHENTICATED');
    expect(await outcome(exchange(world.deps, underWay))).toBe('INVALID_NONCE');
    expect(await outcome(use(world.deps, own))).toBe('ok');
    expect(await outcome(refreshWith(world.deps, own))).toBe('ok');
    expect(await endOtherSessions(world.deps, await theStore(), current)).toBe(0);
  });

  test('ends the rest when it is asked again after a failure', async () => {
    for (const _ of [1, 2, 3]) {
      await signedIn(world);
      world.advance(1);
    }
    const current = await newestSession();
    let writes = 0;
    world.faults.plan = ({ operation }) => {
      if (operation !== 'update') return undefined;
      writes += 1;
      return writes === 2 ? 'before' : undefined;
    };
    const store = await theStore();
    expect(await outcome(endOtherSessions(world.deps, store, current))).toBe('TEMPORARILY_UNAVAILABLE');
    world.faults.plan = () => undefined;
    await endOtherSessions(world.deps, store, current);
    const found = await world.deps.sessions.listOf(SHOP_ID, ADA);
    const living = found.filter(({ status }) => status === 'active').map(({ sessionId }) => sessionId);
    expect(living).toEqual([current.sessionId]);
  });
});
