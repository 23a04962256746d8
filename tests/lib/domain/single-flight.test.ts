import { expect, test } from '@jest/globals';
import { createSingleFlight } from '../../../lib/domain/single-flight.ts';

test('runs the work of each key once at a time, and again after it ended', async () => {
  const flight = createSingleFlight<string, number>();
  let runs = 0;
  const work = async () => {
    runs++;
    await new Promise(setImmediate);
    return runs;
  };
  expect(await Promise.all([flight('a', work), flight('a', work), flight('b', work)])).toEqual([2, 2, 2]);
  expect(await flight('a', work)).toBe(3);
});
