import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { TokenPair } from '../../../../lib/sign-in/sessions/token-pair.ts';
import { sessionKey } from '../../../../lib/storage/sessions/session-record.ts';
import { ADA, crashAt, outcome, refreshWith, signedIn, use } from '../world/journey.ts';
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
const alarms = () => world.logs.flatMap(({ fields }) => (fields.alarm ? [fields.alarm] : []));

describe('theft', () => {
  test('revokes the session when a replaced token is reused 60 s after its successor was used', async () => {
    const first = await signedIn(world);
    const second = await refreshWith(world.deps, first);
    await use(world.deps, second);
    world.advance(61);
    expect(await outcome(refreshWith(world.deps, first))).toBe('INVALID_REFRESH_TOKEN');
    expect(await outcome(refreshWith(world.deps, second))).toBe('INVALID_REFRESH_TOKEN');
    expect(await outcome(use(world.deps, second))).toBe('UNAUTHENTICATED');
    expect(world.logs.map(({ message }) => message)).toEqual(
      expect.arrayContaining(['refresh_token.reuse_detected', 'session.revoked']),
    );
  });

  test('refuses a replaced token whose successor was replaced, and detects its reuse after 60 s', async () => {
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

  test('returns the same pair to two tabs that retry a lost refresh minutes later', async () => {
    const first = await signedIn(world);
    await refreshWith(world.deps, first);
    world.advance(600);
    const [one, two] = await Promise.all([refreshWith(world.deps, first), refreshWith(world.deps, first)]);
    expect(one).toEqual(two);
    await use(world.deps, one);
    world.advance(50);
    expect((await refreshWith(world.deps, first)).refreshToken).toBe(one.refreshToken);
    expect((await onlySession()).generation).toBe(2);
    world.advance(61);
    expect(await outcome(refreshWith(world.deps, first))).toBe('INVALID_REFRESH_TOKEN');
    expect((await onlySession()).revokedReason).toBe('reuse');
  });

  test('rings after three late retries in a row', async () => {
    const first = await signedIn(world);
    await refreshWith(world.deps, first);
    for (let i = 0; i < 3; i++) {
      expect(alarms()).toEqual([]);
      world.advance(61);
      await refreshWith(world.deps, first);
    }
    expect(alarms()).toEqual(['refresh_repeats']);
  });

  test('keeps the session alive with a late retry as long as with any other refresh', async () => {
    const first = await signedIn(world);
    await refreshWith(world.deps, first);
    world.advance(46 * 24 * HOUR);
    const repeated = await refreshWith(world.deps, first);
    world.advance(46 * 24 * HOUR);
    expect(await outcome(refreshWith(world.deps, repeated))).toBe('ok');
  });

  test('loses nothing in a crash after a late retry was recorded', async () => {
    const first = await signedIn(world);
    await refreshWith(world.deps, first);
    world.advance(61);
    await crashAt('refresh.after-late-repeat', () => refreshWith(world.deps, first));
    const second = await refreshWith(world.createContainer(), first);
    await use(world.deps, second);
    expect(await onlySession()).toMatchObject({ generation: 2, lateRepeats: 1 });
    expect(alarms()).toEqual([]);
  });
});

describe('a table restored from a backup', () => {
  test('accepts tokens that are newer than the restored table, without taking them for theft', async () => {
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

  test('keeps a session alive when the platform’s tokens were consumed after the backup', async () => {
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
