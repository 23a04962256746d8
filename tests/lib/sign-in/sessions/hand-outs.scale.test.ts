/**
 * Sessions by the thousand, played through the real use cases: nobody honest loses one, whatever is lost on the way,
 * and no thief who asks more than 60 s apart gets beyond the second generation that he and the owner both use.
 */

import { describe, expect, test } from '@jest/globals';
import { seededRandom } from '../../../../infra/emulators/seeded-random.ts';
import { fullSize } from '../../../full-size.ts';
import { type Habits, playCustomer } from '../world/honest-customers.ts';
import { createSimulation } from '../world/simulation.ts';
import { playThief, playWatcher, type Rhythm } from '../world/thieves.ts';

const SESSIONS = fullSize(1_000);
const THIEVES = fullSize(4_000);
const WATCHERS = fullSize(2_000);
const HOUR = 3_600;
const TIMEOUT_MS = 1_800_000;

const phone: Habits = { lossOf: () => 0.01, refreshes: 60, gapSeconds: 4 * HOUR, tabs: 1, freezes: false };
const stickyLoss: Habits['lossOf'] = (random) => (random() < 0.02 ? 0.7 : 0.01);

describe('of honest customers no session is lost', () => {
  test.each<[string, Habits]>([
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
    async (_what, habits) => {
      const random = seededRandom(SESSIONS);
      const lost: string[] = [];
      for (let i = 0; i < SESSIONS; i++) {
        const world = await createSimulation(random);
        const end = await playCustomer(world, random, habits);
        if (end !== 'lives') lost.push(end);
      }
      expect(lost).toEqual([]);
    },
    TIMEOUT_MS,
  );
});

describe('thieves who ask more than 60 s apart', () => {
  const rhythms: [string, Rhythm][] = [
    ['just over a minute', { leastSeconds: 61, mostSeconds: 62 }],
    ['minutes', { leastSeconds: 61, mostSeconds: 900 }],
    ['hours', { leastSeconds: 1_800, mostSeconds: 3 * HOUR }],
    ['days', { leastSeconds: 20 * HOUR, mostSeconds: 72 * HOUR }],
    ['anything', { leastSeconds: 61, mostSeconds: 72 * HOUR }],
  ];
  test.each(rhythms)(
    '%s: found at the second generation that both use',
    async (_what, rhythm) => {
      const random = seededRandom(THIEVES);
      const missed: string[] = [];
      let shared = 0;
      for (let i = 0; i < THIEVES / rhythms.length; i++) {
        const world = await createSimulation(random);
        const played = await playThief(world, random, rhythm);
        shared += played.sharedGenerations;
        if (played.missed !== undefined) missed.push(played.missed);
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
    const random = seededRandom(periodSeconds);
    let [found, repeats] = [0, 0];
    for (let i = 0; i < WATCHERS; i++) {
      const world = await createSimulation(random);
      if (await playWatcher(world, random, periodSeconds)) found++;
      repeats += world.alarms.get('refresh_repeats') ?? 0;
    }
    expect(found / WATCHERS).toBeGreaterThan(0.8);
    expect(repeats).toBeGreaterThan(WATCHERS);
  },
  TIMEOUT_MS,
);
