import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { exchangeCodeForTokens } from '../../../../lib/sign-in/exchange/exchange-code-for-tokens.ts';
import type { TokenPair } from '../../../../lib/sign-in/sessions/token-pair.ts';
import { ADA, crashAt, outcome, refreshWith, revokeWith, signedIn, signInToCode } from '../world/journey.ts';
import { createWorld, SHOP_ID, type World } from '../world/world.ts';

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(() => world.close());

const sessions = () => world.deps.sessions.listOf(SHOP_ID, ADA);
const MINUTE = 60;

describe('exchange, when something dies', () => {
  test.each([
    ['after-claim', 1],
    ['after-code-grant', 1],
    ['after-keep-grant', 1],
    ['before-commit', 1],
    ['after-commit', 1],
    ['after-session-put', 1],
  ] as const)('crash %s: the retry ends it after the lease', async (point, grants) => {
    const request = await signInToCode(world);
    await crashAt(`exchange.${point}`, () => exchangeCodeForTokens(world.deps, request));
    world.advance(16);
    const again = await outcome(exchangeCodeForTokens(world.createContainer(), request));
    // The grant itself is lost only between the platform's answer and the first write after it.
    expect(again).toBe(point === 'after-code-grant' ? 'SIGN_IN_REJECTED' : 'ok');
    expect(world.platform.codeGrants()).toBe(point === 'after-code-grant' ? 2 : grants);
    expect(await sessions()).toHaveLength(point === 'after-code-grant' ? 0 : 1);
  });

  test('returns 503 with Retry-After during the lease of a crashed container', async () => {
    const request = await signInToCode(world);
    await crashAt('exchange.after-claim', () => exchangeCodeForTokens(world.deps, request));
    const refused = exchangeCodeForTokens(world.deps, request);
    await expect(refused).rejects.toMatchObject({ status: 503, retryAfterSeconds: expect.any(Number) });
  });

  test('the key set is out of reach after the code grant: the retry gives the tokens', async () => {
    await signedIn(world);
    world.platform.rotateKeys();
    world.platform.state.faults.set('jwks.json', { status: 503 });
    const request = await signInToCode(world);
    world.advance(11);
    expect(await outcome(exchangeCodeForTokens(world.deps, request))).toBe('TEMPORARILY_UNAVAILABLE');
    expect(world.platform.codeGrants()).toBe(2);
    world.platform.state.faults.clear();
    world.advance(2 * 3600 - 90 * MINUTE);
    expect(await outcome(exchangeCodeForTokens(world.deps, request))).toBe('ok');
    expect(world.platform.codeGrants()).toBe(2);
  });

  test.each(['after', 'repeated'] as const)('every write is applied, its answer lost (%s)', async (fault) => {
    for (let nth = 0; nth < 6; nth++) {
      const request = await signInToCode(world);
      let writes = 0;
      world.faults.plan = ({ operation }) =>
        ['put', 'update'].includes(operation) && writes++ === nth ? fault : undefined;
      const first = await outcome(exchangeCodeForTokens(world.deps, request));
      world.faults.plan = () => undefined;
      if (fault === 'repeated') expect(first).toBe('ok');
      world.advance(16);
      expect(await outcome(exchangeCodeForTokens(world.createContainer(), request))).toBe('ok');
    }
    expect(world.platform.codeGrants()).toBe(6);
    expect(await sessions()).toHaveLength(6);
  });

  test('the table is down: 503, and nothing is lost', async () => {
    const request = await signInToCode(world);
    world.faults.plan = () => 'before';
    expect(await outcome(exchangeCodeForTokens(world.deps, request))).toBe('TEMPORARILY_UNAVAILABLE');
    world.faults.plan = () => undefined;
    expect(await outcome(exchangeCodeForTokens(world.deps, request))).toBe('ok');
  });
});

describe('exchange, in parallel', () => {
  test('a container that comes back after its lease changes nothing any more', async () => {
    const request = await signInToCode(world);
    let other = '';
    world.platform.state.onGrant = async () => {
      world.platform.state.onGrant = undefined;
      world.advance(16);
      other = await outcome(exchangeCodeForTokens(world.createContainer(), request));
    };
    expect(await outcome(exchangeCodeForTokens(world.deps, request))).toBe('TEMPORARILY_UNAVAILABLE');
    expect(other).toBe('SIGN_IN_REJECTED');
    expect(await outcome(exchangeCodeForTokens(world.deps, request))).toBe('SIGN_IN_REJECTED');
    expect(await sessions()).toEqual([]);
  });

  test.each([
    ['revoked', (pair: TokenPair) => revokeWith(world.deps, pair)],
    ['refreshed', (pair: TokenPair) => refreshWith(world.deps, pair)],
  ])('another one has answered, and its session is %s already: no second pair', async (_what, act) => {
    const request = await signInToCode(world);
    const slow = world.createContainer();
    const { create } = slow.sessions;
    Object.assign(slow.sessions, {
      create: async (session: Parameters<typeof create>[0]) => {
        await act(await exchangeCodeForTokens(world.deps, request));
        return create(session);
      },
    });
    expect(await outcome(exchangeCodeForTokens(slow, request))).toBe('INVALID_NONCE');
  });

  test('returns tokens or 503 to 50 identical requests, with one session and one code grant', async () => {
    const request = await signInToCode(world);
    const containers = Array.from({ length: 5 }, () => world.createContainer());
    const all = await Promise.allSettled(
      Array.from({ length: 50 }, (_, i) => exchangeCodeForTokens(containers[i % 5] ?? world.deps, request)),
    );
    const pairs = all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const refusals = all.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
    expect(new Set(pairs.map(({ refreshToken }) => refreshToken)).size).toBe(1);
    expect(refusals.every((code) => code === 'TEMPORARILY_UNAVAILABLE')).toBe(true);
    expect(world.platform.codeGrants()).toBe(1);
    expect(await sessions()).toHaveLength(1);
  });
});
