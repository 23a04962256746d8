import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { TokenPair } from '../../../../lib/sign-in/sessions/token-pair.ts';
import { ADA, outcome, refreshWith, revokeWith, signedIn, use } from '../world/journey.ts';
import type { Fault } from '../world/openid-platform.ts';
import { createWorld, SHOP_ID, type World } from '../world/world.ts';

let world: World;
let first: TokenPair;
const HOUR = 3600;

beforeEach(async () => {
  world = await createWorld();
  first = await signedIn(world);
  world.advance(HOUR + 1);
});
afterEach(() => world.close());

async function onlySession() {
  const [session] = await world.deps.sessions.listOf(SHOP_ID, ADA);
  if (session === undefined) throw new Error('no session');
  return session;
}

describe('the link to the platform', () => {
  test('the platform has ended the sign-in: so do we', async () => {
    world.platform.endAll();
    expect(await outcome(refreshWith(world.deps, first))).toBe('INVALID_REFRESH_TOKEN');
    expect(await onlySession()).toMatchObject({ status: 'revoked', revokedReason: 'platform' });
    expect(await outcome(use(world.deps, first))).toBe('UNAUTHENTICATED');
    expect((await onlySession()).linkTokens).toBeUndefined();
  });

  test.each<[string, Fault, string]>([
    ['an empty 401', { status: 401 }, 'ok'],
    ['429', { status: 429 }, 'ok'],
    ['another error', { status: 400, type: 'application/json', body: '{"error":"invalid_client"}' }, 'ok'],
    ['HTML with 403', { status: 403, body: '<h1>No</h1>' }, 'ok'],
    ['500', { status: 500 }, 'uncertain'],
    ['a 520', { status: 520 }, 'uncertain'],
    ['a cut connection', { cut: true }, 'uncertain'],
    ['200 with HTML', { status: 200, body: '<h1>Hello</h1>' }, 'uncertain'],
    [
      '200 without a refresh token',
      { status: 200, type: 'application/json', body: '{"access_token":"a"}' },
      'uncertain',
    ],
    [
      '200 that is too long',
      { status: 200, type: 'application/json', body: ' '.repeat(300_000) },
      'uncertain',
    ],
  ])('%s: the refresh is answered, the link is %s', async (_what, fault, state) => {
    world.platform.state.tokenFaults.push(fault);
    const second = await refreshWith(world.deps, first);
    await use(world.deps, second);
    expect((await onlySession()).linkState).toBe(state);
    // It is well again: the next refresh finds it so, and believes it at the one after.
    const third = await refreshWith(world.deps, second);
    await use(world.deps, third);
    world.advance(HOUR + 1);
    await refreshWith(world.deps, third);
    expect((await onlySession()).linkState).toBe('ok');
  });

  test('a request that timed out reaches the platform after the next one: its token is taken for a copy, the session lives', async () => {
    world.platform.state.tokenFaults.push({ cut: true });
    const second = await refreshWith(world.deps, first);
    await use(world.deps, second);
    const third = await refreshWith(world.deps, second);
    await use(world.deps, third);
    expect((await onlySession()).linkState).toBe('settling');
    world.platform.endAll();
    world.advance(HOUR + 1);
    const fourth = await refreshWith(world.deps, third);
    expect((await onlySession()).linkState).toBe('dead');
    await use(world.deps, fourth);
  });

  test('a link that has settled is believed: the platform ends the sign-in, so do we', async () => {
    world.platform.state.tokenFaults.push({ cut: true });
    let pair = await refreshWith(world.deps, first);
    for (let settling = 0; settling < 2; settling++) {
      await use(world.deps, pair);
      world.advance(HOUR + 1);
      pair = await refreshWith(world.deps, pair);
    }
    await use(world.deps, pair);
    world.platform.endAll();
    world.advance(HOUR + 1);
    expect(await outcome(refreshWith(world.deps, pair))).toBe('INVALID_REFRESH_TOKEN');
  });

  test.each<[string, Fault]>([
    ['a 520 that consumed the token', { status: 520, consume: true }],
    ['an answer that was cut', { cut: true, consume: true }],
  ])('%s: the loss is ours, the session lives', async (_what, fault) => {
    world.platform.state.tokenFaults.push(fault);
    const second = await refreshWith(world.deps, first);
    const third = await refreshWith(world.deps, second);
    expect((await onlySession()).linkState).toBe('dead');
    const grants = world.platform.refreshGrants();
    await use(world.deps, await refreshWith(world.deps, third));
    expect(world.platform.refreshGrants()).toBe(grants);
  });

  test('the container dies after the platform consumed the token: the refresh is repeated, the session lives', async () => {
    const dying = world.createContainer();
    const died = new Promise<void>((resolve) => {
      const { refresh } = dying.platform;
      Object.assign(dying.platform, {
        refresh: async (...parameters: Parameters<typeof refresh>) => {
          await refresh(...parameters);
          resolve();
          return new Promise<never>(() => undefined);
        },
      });
    });
    void refreshWith(dying, first);
    await died;
    world.advance(1);
    const second = await refreshWith(world.deps, first);
    world.advance(10);
    const third = await refreshWith(world.deps, second);
    expect((await onlySession()).linkState).toBe('dead');
    await use(world.deps, third);
  });

  test('20 refreshes at once ask the platform once', async () => {
    const containers = Array.from({ length: 4 }, () => world.createContainer());
    const all = Array.from({ length: 20 }, (_, i) => refreshWith(containers[i % 4] ?? world.deps, first));
    expect(new Set((await Promise.all(all)).map(({ refreshToken }) => refreshToken)).size).toBe(1);
    expect(world.platform.refreshGrants()).toBe(1);
  });

  test('while its token is good the platform is not asked', async () => {
    const second = await refreshWith(world.deps, first);
    await refreshWith(world.deps, second);
    expect(world.platform.refreshGrants()).toBe(1);
  });

  test('the table fails in the middle: the refresh is answered', async () => {
    world.faults.plan = ({ update }) => (update.includes('linkState') ? 'before' : undefined);
    expect(await outcome(refreshWith(world.deps, first))).toBe('ok');
    world.faults.plan = ({ update }) => (update.includes('REMOVE linkLeaseId') ? 'before' : undefined);
    expect(await outcome(refreshWith(world.deps, first))).toBe('ok');
    world.faults.plan = () => undefined;
    world.advance(11);
    expect(await outcome(refreshWith(world.deps, first))).toBe('ok');
    expect((await onlySession()).linkState).toBe('dead');
  });

  test('a revocation while the platform is asked: revoked, and nothing is sealed into the tombstone', async () => {
    world.platform.state.onGrant = async () => {
      await revokeWith(world.createContainer(), first);
    };
    await outcome(refreshWith(world.deps, first));
    expect(await onlySession()).toMatchObject({ status: 'revoked', revokedReason: 'customer' });
    expect((await onlySession()).linkTokens).toBeUndefined();
  });

  test('the lease is written, its answer lost: it is held all the same', async () => {
    world.faults.plan = ({ update }) =>
      update.includes('linkLeaseUntilMs = :until') ? 'repeated' : undefined;
    expect(await outcome(refreshWith(world.deps, first))).toBe('ok');
    expect((await onlySession()).linkState).toBe('ok');
    expect(world.platform.refreshGrants()).toBe(1);
  });

  test('a box whose key is gone: the link is dead, the session lives', async () => {
    const session = await onlySession();
    await world.table.update({
      key: { pk: `SESSIONS#${SHOP_ID}#${ADA}`, sk: `SESSION#${session.sessionId}` },
      update: 'SET linkTokens = :box',
      values: { ':box': 'gone.AAAA' },
    });
    expect(await outcome(refreshWith(world.deps, first))).toBe('ok');
    expect((await onlySession()).linkState).toBe('dead');
  });
});
