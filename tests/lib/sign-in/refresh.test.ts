import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { readRingEntries } from '../../../lib/credentials/key-ring.ts';
import type { CustomerId } from '../../../lib/domain/customer-id.ts';
import type { ShopDomain } from '../../../lib/domain/shop-domain.ts';
import { refresh } from '../../../lib/sign-in/refresh.ts';
import type { TokenPair } from '../../../lib/sign-in/token-pair.ts';
import { sessionKey } from '../../../lib/storage/session-record.ts';
import { ADA, crashAt, outcome, refreshWith, revokeWith, signedIn, use } from './world/journey.ts';
import { createWorld, SHOP, SHOP_ID, type World } from './world/world.ts';

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(() => world.close());

const DAY = 24 * 3600;
const HOUR = 3600;

async function onlySession() {
  const [session] = await world.deps.sessions.listOf(SHOP_ID, ADA);
  if (session === undefined) throw new Error('no session');
  return session;
}
const alarms = () => world.logs.flatMap(({ fields }) => (fields.alarm ? [fields.alarm] : []));

describe('refresh refuses', () => {
  test.each([
    ['junk', 'junk'],
    ['a token with an altered bit', undefined],
  ])('%s: 401 if the customer has a sign-in', async (_what, junk) => {
    const { refreshToken } = await signedIn(world);
    const last = refreshToken.endsWith('A') ? 'B' : 'A';
    const token = { refreshToken: junk ?? `${refreshToken.slice(0, -2)}${last}${refreshToken.slice(-1)}` };
    expect(await outcome(refreshWith(world.deps, token))).toBe('INVALID_REFRESH_TOKEN');
  });

  test('an access token in place of a refresh token', async () => {
    const { accessToken } = await signedIn(world);
    expect(await outcome(refreshWith(world.deps, { refreshToken: accessToken }))).toBe(
      'INVALID_REFRESH_TOKEN',
    );
    const disguised = accessToken.replace('SVC_CT_', 'SVC_RT_');
    expect(await outcome(refreshWith(world.deps, { refreshToken: disguised }))).toBe('INVALID_REFRESH_TOKEN');
  });

  test('a customer of whom nothing is stored, whatever the token: 404', async () => {
    const { refreshToken } = await signedIn(world);
    const of = (customerId: number, token: string) =>
      outcome(refresh(world.deps, { shop: SHOP, customerId: customerId as CustomerId, refreshToken: token }));
    expect(await of(7001099, refreshToken)).toBe('TOKEN_NOT_FOUND');
    expect(await of(7001099, 'junk')).toBe('TOKEN_NOT_FOUND');
  });

  test('a store that is not installed', async () => {
    const { refreshToken } = await signedIn(world);
    const shop = 'nobody.myshopify.com' as ShopDomain;
    expect(await outcome(refresh(world.deps, { shop, customerId: ADA, refreshToken }))).toBe(
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

  test('after 90 idle days, with 401 for 90 more, then 404', async () => {
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

describe('refresh', () => {
  test('gives a new pair; the old access token stays good until it expires', async () => {
    const first = await signedIn(world);
    const second = await refreshWith(world.deps, first);
    expect(second.refreshToken).not.toBe(first.refreshToken);
    await use(world.deps, first);
    await use(world.deps, second);
    world.advance(HOUR + 1);
    await expect(use(world.deps, first)).rejects.toMatchObject({
      details: expect.stringContaining('expired'),
    });
  });

  test('its answer is lost: the same request gives the same pair', async () => {
    const first = await signedIn(world);
    const second = await refreshWith(world.deps, first);
    expect(await refreshWith(world.deps, first)).toEqual(second);
    await use(world.deps, second);
    world.advance(59);
    expect(await refreshWith(world.deps, first)).toEqual(second);
    expect((await onlySession()).generation).toBe(2);
  });

  test('the lost answer is fetched hours later, and is of use', async () => {
    const first = await signedIn(world);
    const second = await refreshWith(world.deps, first);
    world.advance(5 * HOUR);
    const again = await refreshWith(world.deps, first);
    expect(again.refreshToken).toBe(second.refreshToken);
    expect(Date.parse(again.expiresAt) - world.now()).toBeGreaterThanOrEqual(600_000);
    await use(world.deps, again);
  });

  test('20 at once, also across a rotation of the ring: one pair, one generation', async () => {
    const first = await signedIn(world);
    const [seedKey] = readRingEntries(world.ring.json);
    const secret = Buffer.alloc(32, 9).toString('base64url');
    const others = Array.from({ length: 4 }, () => world.createContainer());
    await Promise.all(others.slice(0, 2).map((deps) => deps.tokenKeys.signing()));
    world.ring.json = {
      keys: [
        { ...seedKey, use: 'verify' },
        { kid: 'next', use: 'sign', since: '2026-01-01T00:00:00Z', secret },
      ],
    };
    const all = Array.from({ length: 20 }, (_, i) => refreshWith(others[i % 4] ?? world.deps, first));
    const pairs = await Promise.all(all);
    expect(new Set(pairs.map((pair) => JSON.stringify(pair))).size).toBe(1);
    expect((await onlySession()).generation).toBe(2);
    for (const deps of others) await use(deps, pairs[0] ?? first);
  });

  test.each(['after', 'repeated'] as const)('the write is applied, its answer lost (%s)', async (fault) => {
    const first = await signedIn(world);
    let isFirst = true;
    world.faults.plan = ({ update }) => {
      if (!update.includes('generation') || !isFirst) return undefined;
      isFirst = false;
      return fault;
    };
    expect(await outcome(refreshWith(world.deps, first))).toBe('ok');
    expect((await onlySession()).generation).toBe(2);
  });

  test.each(['refresh.after-read', 'refresh.after-rotate', 'refresh.before-answer'] as const)(
    'a crash at %s costs nothing',
    async (point) => {
      const first = await signedIn(world);
      await crashAt(point, () => refreshWith(world.deps, first));
      const second = await refreshWith(world.createContainer(), first);
      await use(world.deps, second);
      expect((await onlySession()).generation).toBe(2);
    },
  );

  test('the table is down: 503, never 401; afterwards all goes on', async () => {
    const first = await signedIn(world);
    world.faults.plan = () => 'before';
    expect(await outcome(refreshWith(world.deps, first))).toBe('TEMPORARILY_UNAVAILABLE');
    expect(await outcome(use(world.deps, first))).toBe('TEMPORARILY_UNAVAILABLE');
    expect(await outcome(revokeWith(world.deps, first))).toBe('TEMPORARILY_UNAVAILABLE');
    world.faults.plan = () => undefined;
    expect(await outcome(refreshWith(world.deps, first))).toBe('ok');
  });

  test('Secrets Manager is down: containers that know the ring go on, new ones answer 503', async () => {
    const first = await signedIn(world);
    world.ring.isDown = true;
    world.advance(HOUR);
    expect(await outcome(refreshWith(world.createContainer(), first))).toBe('TEMPORARILY_UNAVAILABLE');
    expect(await outcome(refreshWith(world.deps, first))).toBe('ok');
  });

  test("the store's client id is changed", async () => {
    const first = await signedIn(world);
    await world.putStore({ clientId: 'client-2' });
    world.advance(2 * HOUR);
    expect(await outcome(refreshWith(world.deps, first))).toBe('ok');
    expect(world.platform.state.requests.at(-1)?.clientId).toBe('client-1');
    await world.putStore({ clientId: undefined });
    expect(await outcome(refreshWith(world.deps, first))).toBe('ok');
  });
});

describe('theft', () => {
  test('a replaced token, its successor used, more than 60 s later: the whole session dies', async () => {
    const first = await signedIn(world);
    const second = await refreshWith(world.deps, first);
    await use(world.deps, second);
    world.advance(61);
    expect(await outcome(refreshWith(world.deps, first))).toBe('INVALID_REFRESH_TOKEN');
    expect(await outcome(refreshWith(world.deps, second))).toBe('INVALID_REFRESH_TOKEN');
    expect(await outcome(use(world.deps, second))).toBe('UNAUTHENTICATED');
    expect(world.logs.map(({ message }) => message)).toEqual(
      expect.arrayContaining(['refresh_reuse_detected', 'session_revoked']),
    );
  });

  test('a replaced token whose successor was replaced: refused at once, reuse after 60 s', async () => {
    const first = await signedIn(world);
    const second = await refreshWith(world.deps, first);
    const third = await refreshWith(world.deps, second);
    expect(await outcome(refreshWith(world.deps, first))).toBe('INVALID_REFRESH_TOKEN');
    expect(await outcome(use(world.deps, third))).toBe('ok');
    world.advance(61);
    expect(await outcome(refreshWith(world.deps, first))).toBe('INVALID_REFRESH_TOKEN');
    expect(await outcome(use(world.deps, third))).toBe('UNAUTHENTICATED');
  });

  test("a thief rotates every 59 s: the owner's token finds it", async () => {
    const owned = await signedIn(world);
    let stolen: TokenPair = owned;
    for (let i = 0; i < 8; i++) {
      stolen = await refreshWith(world.deps, stolen);
      world.advance(59);
    }
    expect(await outcome(refreshWith(world.deps, owned))).toBe('INVALID_REFRESH_TOKEN');
    expect(await outcome(refreshWith(world.deps, stolen))).toBe('INVALID_REFRESH_TOKEN');
  });

  test('two tabs repeat a lost refresh minutes later: both get the same pair', async () => {
    const first = await signedIn(world);
    const lost = await refreshWith(world.deps, first);
    world.advance(600);
    const [one, two] = await Promise.all([refreshWith(world.deps, first), refreshWith(world.deps, first)]);
    expect(one).toEqual(two);
    expect(one.refreshToken).toBe(lost.refreshToken);
    await use(world.deps, one);
    world.advance(50);
    expect((await refreshWith(world.deps, first)).refreshToken).toBe(lost.refreshToken);
    world.advance(61);
    expect(await outcome(refreshWith(world.deps, first))).toBe('INVALID_REFRESH_TOKEN');
    expect((await onlySession()).revokedReason).toBe('reuse');
  });

  test('three late repeats in a row raise an alarm', async () => {
    const first = await signedIn(world);
    await refreshWith(world.deps, first);
    for (let i = 0; i < 3; i++) {
      expect(alarms()).toEqual([]);
      world.advance(61);
      await refreshWith(world.deps, first);
    }
    expect(alarms()).toEqual(['refresh_repeats']);
  });

  test('a crash after a late repeat was noted costs nothing', async () => {
    const first = await signedIn(world);
    const second = await refreshWith(world.deps, first);
    world.advance(61);
    await crashAt('refresh.after-late-repeat', () => refreshWith(world.deps, first));
    expect(await refreshWith(world.deps, first)).toEqual(second);
  });
});

describe('a table restored from a backup', () => {
  test('tokens ahead of it go on, and are not taken for theft', async () => {
    const first = await signedIn(world);
    const session = await onlySession();
    const backup = await world.table.get(sessionKey(session));
    const second = await refreshWith(world.deps, first);
    const third = await refreshWith(world.deps, second);
    if (backup === undefined) throw new Error('no backup');
    await world.table.put(backup);
    await use(world.deps, third);
    const fourth = await refreshWith(world.deps, third);
    expect((await onlySession()).generation).toBe(4);
    expect(await refreshWith(world.deps, third)).toEqual(fourth);
    await use(world.deps, fourth);
    expect(alarms()).toContain('refresh_ahead');
    world.advance(61);
    expect(await outcome(refreshWith(world.deps, second))).toBe('INVALID_REFRESH_TOKEN');
    expect((await onlySession()).revokedReason).toBe('reuse');
  });

  test("the platform's consumed tokens count as lost by us: the session lives", async () => {
    const first = await signedIn(world);
    const backup = await world.table.get(sessionKey(await onlySession()));
    world.advance(HOUR + 1);
    const second = await refreshWith(world.deps, first);
    if (backup === undefined) throw new Error('no backup');
    await world.table.put(backup);
    world.advance(1);
    await world.putStore({ restoredAtMs: world.now() });
    const third = await refreshWith(world.deps, second);
    expect(world.platform.refreshGrants()).toBe(2);
    await use(world.deps, third);
    expect((await onlySession()).linkState).toBe('dead');
  });
});
