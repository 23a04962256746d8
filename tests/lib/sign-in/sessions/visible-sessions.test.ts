/**
 * Sessions that a customer, or a store's key, has revoked: none of their tokens is valid, and none becomes valid again.
 */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { exchangeCodeForTokens } from '../../../../lib/sign-in/exchange/exchange-code-for-tokens.ts';
import { endOtherSessions, endOwnSession } from '../../../../lib/sign-in/sessions/end-own-sessions.ts';
import {
  listCustomerSessions,
  revokeCustomerSessions,
} from '../../../../lib/sign-in/sessions/list-customer-sessions.ts';
import { revokeSessionForStore } from '../../../../lib/sign-in/sessions/visible-sessions.ts';
import type { SessionRecord, SessionRef } from '../../../../lib/storage/sessions/session-record.ts';
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
    expect(await revokeSessionForStore(world.deps, await newestSession(), { reason: 'customer' })).toBe(true);
    for (const pair of [first, second]) {
      expect(await outcome(use(world.deps, pair))).toBe('UNAUTHENTICATED');
      expect(await outcome(refreshWith(world.deps, pair))).toBe('INVALID_REFRESH_TOKEN');
    }
    // A sign-out on the device itself then has no effect.
    expect(await revokeWith(world.deps, second)).toEqual({ revoked: true });
  });

  test('is logged with the key that ended it, for a restore to end it again', async () => {
    await signedIn(world);
    const session = await newestSession();
    const keyId = 'key_000000000001' as never;
    await revokeSessionForStore(world.deps, session, { reason: 'store', keyId });
    const { sessionId } = session;
    const fields = { shopId: SHOP_ID, customerId: ADA, sessionId, reason: 'store', keyId };
    expect(world.logs).toContainEqual({ message: 'session.revoked', fields });
  });

  test('is absent once its life and 90 days are over', async () => {
    await signedIn(world);
    const session = await newestSession();
    world.advance(181 * 24 * 3600);
    expect(await revokeSessionForStore(world.deps, session, { reason: 'customer' })).toBe(false);
  });
});

describe('ending all others', () => {
  test('keeps the requesting session with its tokens, and creates no session for a sign-in under way', async () => {
    const thief = await signedIn(world);
    const underWay = await signInToCode(world);
    world.advance(1);
    const own = await signedIn(world);
    const current = await newestSession();
    world.advance(1);
    expect(await endOtherSessions(world.deps, await theStore(), current)).toEqual({
      outcome: 'done',
      count: 1,
    });
    expect(await outcome(use(world.deps, thief))).toBe('UNAUTHENTICATED');
    expect(await outcome(exchangeCodeForTokens(world.deps, underWay))).toBe('INVALID_NONCE');
    expect(await outcome(use(world.deps, own))).toBe('ok');
    expect(await outcome(refreshWith(world.deps, own))).toBe('ok');
    expect(await endOtherSessions(world.deps, await theStore(), { ...current, generation: 2 })).toEqual({
      outcome: 'done',
      count: 0,
    });
  });

  test('ends the rest on a retry after a failure', async () => {
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

describe('a thief with an access token, beside the owner', () => {
  const HOUR = 3_600;

  test('allows a thief to end three newer sign-ins in an hour; the fourth stays, and ends the thief’s', async () => {
    const stolen = await signedIn(world);
    const thief = await newestSession();
    const store = await theStore();
    const thiefEndsAll = () => endOtherSessions(world.deps, store, thief);

    world.advance(60);
    const underWay = await signInToCode(world);
    world.advance(1);
    expect(await thiefEndsAll()).toEqual({ outcome: 'done', count: 0 });
    expect(await outcome(exchangeCodeForTokens(world.deps, underWay))).toBe('INVALID_NONCE');
    for (const end of [(id: SessionRef) => endOwnSession(world.deps, thief, id), thiefEndsAll]) {
      world.advance(1);
      const pair = await signedIn(world);
      world.advance(1);
      expect(await end(await newestSession())).toMatchObject({ outcome: 'done' });
      expect(await outcome(use(world.deps, pair))).toBe('UNAUTHENTICATED');
    }

    world.advance(1);
    const again = await signInToCode(world);
    world.advance(1);
    const tooOften = { outcome: 'too_often', retryAtMs: expect.any(Number) };
    expect(await thiefEndsAll()).toEqual(tooOften);
    const pair = await exchangeCodeForTokens(world.deps, again);
    const owner = await newestSession();
    for (let i = 0; i < 5; i++) {
      world.advance(60);
      expect(await endOwnSession(world.deps, thief, owner)).toEqual(tooOften);
      expect(await thiefEndsAll()).toEqual(tooOften);
    }
    expect(await outcome(use(world.deps, pair))).toBe('ok');
    expect(await endOtherSessions(world.deps, store, owner)).toEqual({ outcome: 'done', count: 1 });
    expect(await outcome(use(world.deps, stolen))).toBe('UNAUTHENTICATED');
    expect(await thiefEndsAll()).toEqual({ outcome: 'replaced' });
    expect(await outcome(use(world.deps, pair))).toBe('ok');
  });

  test('ends other sessions for three of fifty concurrent requests, and writes nothing for the others', async () => {
    await signedIn(world);
    const thief = await newestSession();
    const store = await theStore();
    const all = Array.from({ length: 50 }, () => endOtherSessions(world.deps, store, thief));
    const done = (await Promise.all(all)).filter((answer) => answer.outcome === 'done');
    expect(done.length).toBe(3);
    const requests: string[] = [];
    world.faults.plan = ({ operation }) => {
      requests.push(operation);
      return undefined;
    };
    expect(await endOtherSessions(world.deps, store, thief)).toMatchObject({ outcome: 'too_often' });
    expect(requests).toEqual(['get']);
    expect(world.logs.at(-1)).toMatchObject({
      message: 'session.revocation_refused',
      fields: { customerId: ADA, bySessionId: thief.sessionId, reason: 'too_often' },
    });
  });

  test('a turn comes back after an hour; older sign-ins take none', async () => {
    for (let i = 0; i < 5; i++) {
      await signedIn(world);
      world.advance(1);
    }
    const [newest, ...older] = (await world.deps.sessions.listOf(SHOP_ID, ADA)).sort(
      (one, other) => other.createdAtMs - one.createdAtMs,
    );
    const store = await theStore();
    const acting = newest as SessionRecord;
    for (let i = 0; i < 3; i++) await endOtherSessions(world.deps, store, acting);
    const again = await endOtherSessions(world.deps, store, acting);
    if (again.outcome !== 'too_often') throw new Error(again.outcome);
    expect(again.retryAtMs).toBeGreaterThan(world.deps.now());
    expect(again.retryAtMs).toBeLessThanOrEqual(world.deps.now() + HOUR * 1000);
    for (const session of older) {
      expect(await endOwnSession(world.deps, acting, session)).toEqual({ outcome: 'done' });
    }
    world.advance(HOUR);
    expect(await endOtherSessions(world.deps, store, acting)).toEqual({ outcome: 'done', count: 0 });
  });

  test('a token that a refresh has replaced ends nothing once its successor is used', async () => {
    const copied = await signedIn(world);
    const acting = await newestSession();
    const fresh = await refreshWith(world.deps, copied);
    const store = await theStore();
    // The answer of the refresh may have been lost.
    expect(await endOtherSessions(world.deps, store, acting)).toMatchObject({ outcome: 'done' });
    await use(world.deps, fresh);
    expect(await outcome(use(world.deps, copied))).toBe('ok');
    expect(await endOtherSessions(world.deps, store, acting)).toEqual({ outcome: 'replaced' });
    expect(await endOwnSession(world.deps, acting, acting)).toEqual({ outcome: 'replaced' });
    expect(await outcome(use(world.deps, fresh))).toBe('ok');
    expect(await endOwnSession(world.deps, { ...acting, generation: 2 }, acting)).toEqual({
      outcome: 'done',
    });
  });
});

describe('the label of a device', () => {
  test.each([
    ['Phone\u009b31m/1', 'Phone 31m/1'],
    [' ', undefined],
  ])('a User-Agent %j is kept as %j', async (userAgent, stored) => {
    await exchangeCodeForTokens(world.deps, { ...(await signInToCode(world)), userAgent });
    expect((await newestSession()).deviceLabel).toBe(stored);
  });

  test('one from before is shown to operators without what controls a terminal', async () => {
    await signedIn(world);
    const session = await newestSession();
    const { shopId, customerId } = session;
    await world.deps.sessions.create({
      ...session,
      sessionId: 'a'.repeat(22) as SessionRecord['sessionId'],
      deviceLabel: 'Phone\u009b31m/1',
    });
    const listed = await listCustomerSessions(world.deps, { store: await theStore(), customerId });
    expect(listed.map(({ device }) => device).sort()).toEqual(['Phone 31m/1', 'Phone/1']);
    expect(shopId).toBe(SHOP_ID);
  });
});

describe('who ended it is told', () => {
  test.each(['customer', 'operator'] as const)(
    'logs who ended a sign-in under way, too: %s',
    async (reason) => {
      await signedIn(world);
      const acting = await newestSession();
      world.advance(1);
      const underWay = await signInToCode(world);
      world.advance(1);
      const store = await theStore();
      if (reason === 'customer') await endOtherSessions(world.deps, store, acting);
      else await revokeCustomerSessions(world.deps, { store, customerId: ADA }, 'all');
      expect(await outcome(exchangeCodeForTokens(world.deps, underWay))).toBe('INVALID_NONCE');
      const lines = world.logs.filter(({ message }) => message === 'session.revoked');
      const by = reason === 'customer' ? acting.sessionId : undefined;
      expect(lines.at(-1)?.fields).toMatchObject({ reason, customerId: ADA });
      expect(lines.at(-1)?.fields.bySessionId).toBe(by);
    },
  );

  test('does not replace the time of a later end by an earlier one', async () => {
    const customer = { shopId: SHOP_ID, customerId: ADA };
    const revocationAt = (nowMs: number) =>
      world.deps.sessions.markSignInsEnded(customer, { nowMs, expiresAt: 2 ** 32, reason: 'customer' });
    const nowMs = world.deps.now();
    expect([await revocationAt(nowMs), await revocationAt(nowMs - 1), await revocationAt(nowMs + 1)]).toEqual(
      ['done', 'refused', 'done'],
    );
    expect((await world.deps.sessions.readAll(SHOP_ID, ADA)).endedAtMs).toBe(nowMs + 1);
  });
});
