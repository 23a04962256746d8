import { expect, test } from '@jest/globals';
import { createMovableClock } from '../../../sandbox/clock/movable-clock.ts';

const HOUR_MS = 3_600_000;

test('it starts at the offset that was kept, and runs with the machine', () => {
  const before = Date.now();
  const clock = createMovableClock(HOUR_MS);
  expect(clock.now()).toBeGreaterThanOrEqual(before + HOUR_MS);
  expect(clock.offsetMs()).toBe(HOUR_MS);
});

test('it moves to an instant and by seconds', async () => {
  const clock = createMovableClock();
  const instant = Date.UTC(2030, 0, 1);
  await clock.set(instant);
  expect(clock.now() - instant).toBeLessThan(HOUR_MS);
  const offsetMs = clock.offsetMs();
  await clock.advance(90);
  expect(clock.offsetMs() - offsetMs).toBe(90_000);
});

test('a move is done when all who follow have moved, one after another', async () => {
  const clock = createMovableClock();
  const reported: string[] = [];
  clock.onMove(async ({ offsetMs }) => {
    await new Promise(setImmediate);
    reported.push(`first ${offsetMs}`);
  });
  clock.onMove(() => {
    reported.push('second');
  });
  await clock.advance(1);
  expect(reported).toEqual(['first 1000', 'second']);
});
