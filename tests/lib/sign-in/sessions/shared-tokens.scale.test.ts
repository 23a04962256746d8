/**
 * Thousands of sessions in the real use cases: no honest customer loses a session, despite lost responses, and no thief
 * who refreshes more than 60 s apart gets beyond the second generation that the thief and the owner both use.
 */

import { describe, expect, test } from '@jest/globals';
import { createSeededRandom } from '../../../../sandbox/seeded-random.ts';
import { fullSize } from '../../../full-size.ts';
import { type Profile, simulateCustomer } from '../world/honest-customers.ts';
import { createSimulation } from '../world/simulation.ts';
import { type Frequency, simulateThief, simulateWatcher } from '../world/thieves.ts';

const SESSIONS = fullSize(1_000);
const THIEVES = fullSize(4_000);
const WATCHERS = fullSize(2_000);
const HOUR = 3_600;
const TIMEOUT_MS = 1_800_000;

const phone: Profile = { lossOf: () => 0.01, refreshes: 60, gapSeconds: 4 * HOUR, tabs: 1, freezes: false };
const stickyLoss: Profile['lossOf'] = (random) => (random() < 0.02 ? 0.7 : 0.01);

describe('of honest customers no session is lost', () => {
  test.each<[string, Profile]>([
    ['1 % of the answers are lost', phone],
    ['5 %', { ...phone, lossOf: () => 0.05 }],
    ['2 % of the phones lose 70 %', { ...phone, lossOf: stickyLoss }],
    ['a phone that loses 90 %', { ...phone, lossOf: () => 0.9 }],
    ['two tabs, 5 % lost', { ...phone, lossOf: () => 0.05, tabs: 2 }],
    [
      'two tabs, one of which freezes with an answer once in 30 days',
      { ...phone, gapSeconds: 20 * HOUR, tabs: 2, freezes: true },
    ],
  ])(
    '%s',
    async (_what, profile) => {
      const random = createSeededRandom(SESSIONS);
      const lost: string[] = [];
      for (let i = 0; i < SESSIONS; i++) {
        const world = await createSimulation(random);
        const end = await simulateCustomer(world, random, profile);
        if (end !== 'lives') lost.push(end);
      }
      expect(lost).toEqual([]);
    },
    TIMEOUT_MS,
  );
});

describe('thieves who ask more than 60 s apart', () => {
  const frequencies: [string, Frequency][] = [
    ['just over a minute', { minSeconds: 61, maxSeconds: 62 }],
    ['minutes', { minSeconds: 61, maxSeconds: 900 }],
    ['hours', { minSeconds: 1_800, maxSeconds: 3 * HOUR }],
    ['days', { minSeconds: 20 * HOUR, maxSeconds: 72 * HOUR }],
    ['anything', { minSeconds: 61, maxSeconds: 72 * HOUR }],
  ];
  test.each(frequencies)(
    '%s: found at the second generation that both use',
    async (_what, thiefTiming) => {
      const random = createSeededRandom(THIEVES);
      const missed: string[] = [];
      let shared = 0;
      for (let i = 0; i < THIEVES / frequencies.length; i++) {
        const world = await createSimulation(random);
        const result = await simulateThief(world, random, thiefTiming);
        shared += result.sharedGenerations;
        if (result.missed !== undefined) missed.push(result.missed);
      }
      expect(missed).toEqual([]);
      expect(shared).toBeGreaterThan(0);
    },
    TIMEOUT_MS,
  );
});

test.each([31, 59, 100, 119])(
  'thieves who ask every %i s, and know when they hold what the owner holds, are found most of the time',
  async (periodSeconds) => {
    const random = createSeededRandom(periodSeconds);
    let [found, lateRetries] = [0, 0];
    for (let i = 0; i < WATCHERS; i++) {
      const world = await createSimulation(random);
      if (await simulateWatcher(world, random, periodSeconds)) found++;
      lateRetries += world.alarms.get('refresh_repeats') ?? 0;
    }
    expect(found / WATCHERS).toBeGreaterThan(0.8);
    expect(lateRetries).toBeGreaterThan(WATCHERS);
  },
  TIMEOUT_MS,
);
