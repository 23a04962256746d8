/**
 * Random interleavings of the real use cases: parallel duplicates, lost answers,
 * faults of table and platform, a moving clock. The model is one line: an honest customer is never signed out.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { exchangeCodeForTokens } from '../../../lib/sign-in/exchange/exchange-code-for-tokens.ts';
import type { TokenPair } from '../../../lib/sign-in/sessions/token-pair.ts';
import { propertyRuns } from '../../full-size.ts';
import type { TableFault } from './world/faulty-table.ts';
import { type ADA, outcome, refreshWith, revokeWith, signedIn, signInToCode, use } from './world/journey.ts';
import type { Fault } from './world/openid-platform.ts';
import { createWorld, SHOP_ID, type World } from './world/world.ts';

const RUNS = propertyRuns(1_000);

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const tableFaults = fc.array(
  fc.constantFrom<(TableFault | undefined)[]>(undefined, undefined, undefined, 'before', 'after', 'repeated'),
  {
    maxLength: 12,
  },
);
const platformFault = fc.constantFrom<Fault[]>(
  { status: 520, consume: true },
  { cut: true, consume: true },
  { cut: true },
  { status: 401 },
  { status: 502, body: '<h1>Bad gateway</h1>' },
);
const step = fc.record({
  duplicates: fc.integer({ min: 1, max: 4 }),
  isLost: fc.boolean(),
  isUsed: fc.boolean(),
  seconds: fc.constantFrom(0, 1, 30, 59, 61, 600, 3_601, 86_400),
  table: tableFaults,
  platform: fc.option(platformFault, { nil: undefined }),
});

/** The faults, one a call, then none. */
function planTable(faults: readonly (TableFault | undefined)[]): void {
  const left = [...faults];
  world.faults.plan = () => left.shift();
}

function container(i: number) {
  return containers[i % containers.length] ?? world.deps;
}
let containers: World['deps'][] = [];
beforeAll(() => {
  containers = [world.deps, world.createContainer(), world.createContainer()];
});

test('a customer who refreshes, loses answers and retries is never signed out', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 10 }), async (steps) => {
      planTable([]);
      world.platform.state.tokenFaults.length = 0;
      let stored = await signedIn(world);
      const issued: TokenPair[] = [stored];
      for (const { duplicates, isLost, isUsed, seconds, table, platform } of steps) {
        world.advance(seconds);
        planTable(table);
        if (platform) world.platform.state.tokenFaults.push(platform);
        const all = await Promise.allSettled(
          Array.from({ length: duplicates }, (_, i) => refreshWith(container(i), stored)),
        );
        const pairs = all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
        const codes = all.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
        expect(codes.filter((code) => code !== 'TEMPORARILY_UNAVAILABLE')).toEqual([]);
        expect(new Set(pairs.map(({ refreshToken }) => refreshToken)).size).toBeLessThanOrEqual(1);
        issued.push(...pairs);
        const [answer] = pairs;
        if (isLost || answer === undefined) continue;
        stored = answer;
        if (isUsed)
          expect(['ok', 'TEMPORARILY_UNAVAILABLE']).toContain(await outcome(use(world.deps, stored)));
      }
      planTable([]);
      stored = await refreshWith(world.deps, stored);
      await use(world.deps, stored);
      await revokeWith(world.deps, stored);
      for (const pair of issued) {
        expect(await outcome(use(container(1), pair))).toBe('UNAUTHENTICATED');
        expect(await outcome(refreshWith(container(2), pair))).toBe('INVALID_REFRESH_TOKEN');
      }
    }),
    RUNS,
  );
});

test('a thief never goes on beside the owner for more than a minute', async () => {
  const moves = fc.array(
    fc.record({ byThief: fc.boolean(), seconds: fc.constantFrom(1, 30, 61, 300), isUsed: fc.boolean() }),
    { minLength: 4, maxLength: 12 },
  );
  await fc.assert(
    fc.asyncProperty(moves, async (plan) => {
      planTable([]);
      world.platform.state.tokenFaults.length = 0;
      const first = await signedIn(world);
      const stored = { owner: first, thief: first };
      /** The time at which each token was replaced, if its holder then used the new pair. */
      const usedUp = new Map<string, number>();
      for (const { byThief, seconds, isUsed } of plan) {
        world.advance(seconds);
        const holder = byThief ? 'thief' : 'owner';
        const before = stored[holder].refreshToken;
        const replacedMs = usedUp.get(before);
        const result = await refreshWith(world.deps, stored[holder]).catch(() => undefined);
        if (replacedMs !== undefined && world.now() - replacedMs > 61_000) {
          expect(result).toBeUndefined();
          expect(await outcome(refreshWith(world.deps, stored.owner))).toBe('INVALID_REFRESH_TOKEN');
          expect(await outcome(refreshWith(world.deps, stored.thief))).toBe('INVALID_REFRESH_TOKEN');
          return;
        }
        if (result === undefined) continue;
        stored[holder] = result;
        if (!isUsed || usedUp.has(before)) continue;
        if ((await outcome(use(world.deps, result))) === 'ok') usedUp.set(before, world.now());
      }
    }),
    RUNS,
  );
});

test('an exchange, however it is repeated: one session, one pair', async () => {
  const attempt = fc.record({
    duplicates: fc.integer({ min: 1, max: 5 }),
    seconds: fc.constantFrom(0, 1, 16),
    table: tableFaults,
    platform: fc.option(fc.constantFrom<Fault[]>({ cut: true }, { status: 401 }, { status: 520 }), {
      nil: undefined,
    }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(attempt, { minLength: 1, maxLength: 4 }), async (attempts) => {
      planTable([]);
      world.platform.state.tokenFaults.length = 0;
      nextCustomer += 1;
      const subject = `${nextCustomer}`;
      const request = await signInToCode(world, subject);
      const pairs: TokenPair[] = [];
      for (const { duplicates, seconds, table, platform } of [...attempts, LAST]) {
        world.advance(seconds);
        planTable(table);
        if (platform) world.platform.state.tokenFaults.push(platform);
        const all = await Promise.allSettled(
          Array.from({ length: duplicates }, (_, i) => exchangeCodeForTokens(container(i), request)),
        );
        pairs.push(...all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])));
        const codes = all.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
        expect(codes.filter((code) => !CLEAN.has(code))).toEqual([]);
      }
      expect(new Set(pairs.map(({ refreshToken }) => refreshToken)).size).toBeLessThanOrEqual(1);
      const sessions = await world.deps.sessions.listOf(SHOP_ID, Number(subject) as typeof ADA);
      expect(sessions.length).toBeLessThanOrEqual(1);
      expect(pairs.length === 0 || sessions.length === 1).toBe(true);
    }),
    RUNS,
  );
});

let nextCustomer = 8_000_000;
const LAST = { duplicates: 1, seconds: 16, table: [], platform: undefined };
/** A grant that was lost before it was stored gives a 400; every other result is tokens or 503. */
const CLEAN = new Set(['TEMPORARILY_UNAVAILABLE', 'SIGN_IN_REJECTED']);
