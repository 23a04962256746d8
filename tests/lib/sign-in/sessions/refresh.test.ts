import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { parseRingEntries } from '../../../../lib/credentials/key-ring.ts';
import { holdsRights } from '../../../rights/guarded-table.ts';
import { ADA, crashAt, outcome, refreshWith, revokeWith, signedIn, use } from '../world/journey.ts';
import { createWorld, SHOP_ID, type World } from '../world/world.ts';

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(() => world.close());

const HOUR = 3600;

async function onlySession() {
  const [session] = await world.deps.sessions.listOf(SHOP_ID, ADA);
  if (session === undefined) throw new Error('no session');
  return session;
}

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
    await refreshWith(world.deps, first);
    world.advance(5 * HOUR);
    const again = await refreshWith(world.deps, first);
    expect((await onlySession()).generation).toBe(2);
    expect(Date.parse(again.expiresAt) - world.now()).toBeGreaterThanOrEqual(600_000);
    await use(world.deps, again);
  });

  test('20 at once, also across a rotation of the ring: one pair, one generation', async () => {
    const first = await signedIn(world);
    const [seedKey] = parseRingEntries(world.ring.json);
    const secret = Buffer.alloc(32, 9).toString('base64url');
    const others = Array.from({ length: 4 }, () => world.createContainer());
    await Promise.all(others.slice(0, 2).map((deps) => deps.tokenKeys.signingKey()));
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

holdsRights();
