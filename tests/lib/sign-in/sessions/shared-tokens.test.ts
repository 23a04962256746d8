/** Distinguishes two holders of one session's tokens from one holder whose responses are lost. */

import { beforeEach, describe, expect, test } from '@jest/globals';
import type { TokenPair } from '../../../../lib/sign-in/sessions/token-pair.ts';
import { createSeededRandom } from '../../../../sandbox/seeded-random.ts';
import { outcome } from '../world/journey.ts';
import { createSimulation, type Simulation } from '../world/simulation.ts';

let world: Simulation;
beforeEach(async () => {
  world = await createSimulation(createSeededRandom(1));
});

const DAY = 86_400;
const advance = (seconds: number) => {
  world.clock.nowMs += seconds * 1000;
};
const alarms = () => Object.fromEntries(world.alarms);
/** One holder refreshes first, another retries late; each gets a pair of the new generation. */
async function split({ ahead, late }: { ahead: TokenPair; late: TokenPair }) {
  const first = await world.refresh(ahead);
  advance(61);
  const second = await world.refresh(late);
  return { ahead: first, late: second };
}

describe('a thief who rotates ahead, while the owner repeats late', () => {
  test('an alarm at the first generation that both use, the end at the second', async () => {
    const copied = await world.signIn();
    let leased = await split({ ahead: copied, late: copied });
    await world.use(leased.late);
    advance(61);
    expect(await outcome(world.use(leased.ahead))).toBe('ok');
    expect(alarms()).toEqual({ refresh_shared: 1 });
    leased = await split(leased);
    await world.use(leased.late);
    expect(await outcome(world.use(leased.ahead))).toBe('UNAUTHENTICATED');
    expect(await outcome(world.use(leased.late))).toBe('UNAUTHENTICATED');
    expect(await outcome(world.refresh(leased.late))).toBe('INVALID_REFRESH_TOKEN');
    expect(await world.session(copied)).toMatchObject({ status: 'revoked', revokedReason: 'reuse' });
    expect(alarms()).toEqual({ refresh_shared: 1, refresh_reuse: 1 });
  });

  test.each(['thief', 'owner'] as const)(
    'the %s never calls GraphQL: refreshing is use enough',
    async (holder) => {
      const copied = await world.signIn();
      let leased = { ahead: copied, late: copied };
      const ends: string[] = [];
      for (let i = 0; i < 4 && ends.length === 0; i++) {
        const next = await split(leased).catch(({ code }) => void ends.push(code));
        if (next === undefined) break;
        leased = next;
        await world
          .use(holder === 'thief' ? leased.late : leased.ahead)
          .catch(({ code }) => void ends.push(code));
        advance(61);
      }
      expect(ends).toHaveLength(1);
      expect(await world.session(copied)).toMatchObject({ status: 'revoked', revokedReason: 'reuse' });
    },
  );

  test('ends the session at its second shared generation when neither of them calls GraphQL', async () => {
    const copied = await world.signIn();
    let leased = await split({ ahead: copied, late: copied });
    leased = await split(leased);
    expect(alarms()).toEqual({ refresh_shared: 1 });
    expect(await outcome(split(leased))).toBe('INVALID_REFRESH_TOKEN');
    expect(await world.session(copied)).toMatchObject({ status: 'revoked', generation: 4 });
  });

  test('the second generation is more than 30 days after the first: an alarm again', async () => {
    const copied = await world.signIn();
    let leased = await split({ ahead: copied, late: copied });
    await world.use(leased.late);
    await world.use(leased.ahead);
    advance(30 * DAY + 1);
    leased = await split(leased);
    await world.use(leased.late);
    expect(await outcome(world.use(leased.ahead))).toBe('ok');
    expect(alarms()).toEqual({ refresh_shared: 2 });
  });
});

describe('who holds less than a refresh token', () => {
  test('a copied access token, however it is used, causes no alarm about shared tokens', async () => {
    let leased = await world.signIn();
    for (let i = 0; i < 5; i++) {
      const copied = leased;
      const lost = await world.refresh(leased);
      advance(120);
      leased = await world.refresh(leased);
      expect(lost.refreshToken).not.toBe(leased.refreshToken);
      await world.use(leased);
      expect(await outcome(world.use(copied))).toBe('ok');
      const altered = { ...leased, accessToken: lost.accessToken.replace(/..$/, 'AA') };
      expect(await outcome(world.use(altered))).toBe('UNAUTHENTICATED');
      advance(900);
    }
    expect(await outcome(world.refresh(leased))).toBe('ok');
    expect(alarms()).toEqual({});
  });
});

describe('an honest customer', () => {
  test('counts responses that are lost nine times of ten, for weeks, as late retries, and none as shared', async () => {
    let leased = await world.signIn();
    for (let i = 0; i < 100; i++) {
      for (let lost = 0; lost < 9; lost++) {
        await world.refresh(leased);
        advance(1_000);
      }
      leased = await world.refresh(leased);
      await world.use(leased);
      advance(7_200);
    }
    expect(Object.keys(alarms())).toEqual(['refresh_repeats']);
  });

  test('accepts many concurrent requests of a tab that was frozen with the first issue', async () => {
    const first = await world.signIn();
    const { ahead: frozen, late } = await split({ ahead: first, late: first });
    await world.use(late);
    const resumed = await Promise.all(Array.from({ length: 10 }, () => outcome(world.use(frozen))));
    expect(new Set(resumed)).toEqual(new Set(['ok']));
    expect(await outcome(world.refresh(late))).toBe('ok');
    expect((await world.session(first)).status).toBe('active');
  });

  test('gives two tabs that retry together minutes later one issue', async () => {
    const first = await world.signIn();
    await world.refresh(first);
    advance(600);
    const one = await world.refresh(first);
    advance(59);
    const two = await world.refresh(first);
    expect(two).toEqual(one);
    for (const pair of [one, two]) await world.use(pair);
    expect(alarms()).toEqual({});
  });

  test('starts again at the first issue with a rotation after late retries', async () => {
    const first = await world.signIn();
    await world.refresh(first);
    advance(600);
    const second = await world.refresh(first);
    const third = await world.refresh(second);
    expect(await world.refresh(second)).toEqual(third);
    await world.use(third);
    expect(alarms()).toEqual({});
  });

  test('writes to the table as often as without issue numbers', async () => {
    const counted: [string, number][] = [];
    const count = async <Result>(what: string, work: () => Promise<Result>) => {
      const before = world.calls.writes;
      const result = await work();
      counted.push([what, world.calls.writes - before]);
      return result;
    };
    const first = await count('sign-in', () => world.signIn());
    await count('first use', () => world.use(first));
    const second = await count('refresh', () => world.refresh(first));
    await count('repeat at once', () => world.refresh(first));
    await count('first use', () => world.use(second));
    await count('use', () => world.use(second));
    await count('use of the one before', () => world.use(first));
    const third = await count('refresh', () => world.refresh(second));
    advance(600);
    const again = await count('late repeat', () => world.refresh(second));
    await count('late repeat together', () => world.refresh(second));
    await count('first use', () => world.use(again));
    await count('use', () => world.use(again));
    await count('refresh', () => world.refresh(again));
    expect(third.customerId).toBe(again.customerId);
    expect(counted).toEqual([
      ['sign-in', 1],
      ['first use', 1],
      ['refresh', 1],
      ['repeat at once', 0],
      ['first use', 1],
      ['use', 0],
      ['use of the one before', 0],
      ['refresh', 1],
      ['late repeat', 1],
      ['late repeat together', 0],
      ['first use', 1],
      ['use', 0],
      ['refresh', 1],
    ]);
  });
});
