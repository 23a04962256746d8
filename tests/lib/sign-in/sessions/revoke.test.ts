import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createSessionId } from '../../../../lib/domain/session-id.ts';
import { hashSignInNonce } from '../../../../lib/domain/tokens/nonce.ts';
import { exchangeCodeForTokens } from '../../../../lib/sign-in/exchange/exchange-code-for-tokens.ts';
import { revokeCustomerSessions } from '../../../../lib/sign-in/sessions/list-customer-sessions.ts';
import { holdsRights } from '../../../rights/guarded-table.ts';
import {
  ADA,
  crashAt,
  outcome,
  refreshWith,
  revokeWith,
  signedIn,
  signInToCode,
  use,
} from '../world/journey.ts';
import { createWorld, SHOP_ID, type World } from '../world/world.ts';

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(() => world.close());

const signInOf = (nonce: string) => world.deps.signIns.find(hashSignInNonce(nonce));
const onlySession = async () => (await world.deps.sessions.listOf(SHOP_ID, ADA))[0];

describe('revoke', () => {
  test('refuses an invalid token, for a customer with a sign-in and for one without', async () => {
    expect(await outcome(revokeWith(world.deps, { refreshToken: 'junk' }))).toBe('TOKEN_NOT_FOUND');
    await signedIn(world);
    expect(await outcome(revokeWith(world.deps, { refreshToken: 'junk' }))).toBe('INVALID_REFRESH_TOKEN');
  });

  test('ends the session for good, and returns the same on a retry', async () => {
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
      message: 'session.revoked',
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

  test('has revoked the session after a crash behind the tombstone, and returns that on a retry', async () => {
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

  test('leaves nothing sealed in the sign-in that the session came from, nor a way to make it again', async () => {
    const request = await signInToCode(world);
    const pair = await exchangeCodeForTokens(world.deps, request);
    expect((await signInOf(request.nonce))?.seed?.linkTokens).toEqual(expect.any(String));
    await crashAt('revoke.after-tombstone', () => revokeWith(world.deps, pair));
    await revokeWith(world.deps, pair);
    expect(await signInOf(request.nonce)).toMatchObject({ state: 'done' });
    expect((await signInOf(request.nonce))?.seed).toBeUndefined();
    expect(await outcome(exchangeCodeForTokens(world.deps, request))).toBe('INVALID_NONCE');
  });

  test('deletes the sealed tokens of the sign-in, too, when the session ends for another reason', async () => {
    const request = await signInToCode(world);
    const first = await exchangeCodeForTokens(world.deps, request);
    await use(world.deps, await refreshWith(world.deps, first));
    world.advance(61);
    expect(await outcome(refreshWith(world.deps, first))).toBe('INVALID_REFRESH_TOKEN');
    expect((await signInOf(request.nonce))?.seed).toBeUndefined();
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

describe('an operator who ends all of a customer', () => {
  const endAll = async () => {
    const store = await world.deps.stores.find(SHOP_ID);
    if (store === undefined) throw new Error('no store');
    return revokeCustomerSessions(world.deps, { store, customerId: ADA }, 'all');
  };

  test.each(['exchange.after-commit', 'exchange.after-session-put'] as const)(
    'reaches an exchange that stopped at %s',
    async (point) => {
      const request = await signInToCode(world);
      world.advance(5);
      await crashAt(point, () => exchangeCodeForTokens(world.deps, request));
      await endAll();
      world.advance(5);
      expect(await outcome(exchangeCodeForTokens(world.createContainer(), request))).toBe('INVALID_NONCE');
      expect((await world.deps.sessions.listOf(SHOP_ID, ADA)).map(({ status }) => status)).toEqual([
        'revoked',
      ]);
      expect((await signInOf(request.nonce))?.seed).toBeUndefined();
    },
  );

  test('reaches an exchange that runs concurrently, between any two of its steps', async () => {
    for (const step of ['create', 'readAll'] as const) {
      const slow = world.createContainer();
      const real = slow.sessions[step] as (...parameters: unknown[]) => Promise<unknown>;
      const request = await signInToCode(world);
      world.advance(5);
      const late = async (...parameters: unknown[]) => {
        await endAll();
        return real(...parameters);
      };
      Object.assign(slow.sessions, { [step]: late });
      expect(await outcome(exchangeCodeForTokens(slow, request))).toBe('INVALID_NONCE');
      const states = (await world.deps.sessions.listOf(SHOP_ID, ADA)).map(({ status }) => status);
      expect(states).not.toContain('active');
    }
  });

  test('allows the customer to sign in again at once', async () => {
    await signedIn(world);
    world.advance(5);
    expect(await endAll()).toHaveLength(1);
    world.advance(1);
    await use(world.deps, await signedIn(world));
  });
});

test('keeps a bounded number of a customer’s sessions, readable in one page, however often they sign in and out', async () => {
  const first = await signedIn(world);
  await revokeWith(world.deps, first);
  const tombstone = await onlySession();
  if (tombstone === undefined) throw new Error('no tombstone');
  for (let i = 1; i <= 60; i++) {
    const sessionId = createSessionId(world.deps.random);
    await world.deps.sessions.create({ ...tombstone, sessionId, revokedAtMs: world.now() + i });
  }
  const last = await signedIn(world);
  const stored = await world.deps.sessions.listOf(SHOP_ID, ADA);
  expect(stored.filter(({ status }) => status === 'active')).toHaveLength(1);
  const tombstones = stored.filter(({ status }) => status === 'revoked');
  expect(tombstones).toHaveLength(30);
  expect(tombstones.map(({ sessionId }) => sessionId)).not.toContain(tombstone.sessionId);
  expect(await outcome(refreshWith(world.deps, first))).toBe('INVALID_REFRESH_TOKEN');
  expect(await outcome(use(world.deps, first))).toBe('UNAUTHENTICATED');
  let queries = 0;
  world.faults.plan = ({ operation }) => {
    if (operation === 'query') queries++;
    return undefined;
  };
  expect(await outcome(refreshWith(world.deps, { refreshToken: 'junk' }))).toBe('INVALID_REFRESH_TOKEN');
  expect(queries).toBe(1);
  await use(world.deps, last);
});

holdsRights();
