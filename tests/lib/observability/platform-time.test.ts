import { expect, test } from '@jest/globals';
import { createPlatformTime } from '../../../lib/observability/platform-time.ts';

test('what is waited for at once counts once, failures too, and what goes on counts so far', async () => {
  const clock = { nowMs: 1_000 };
  const time = createPlatformTime(() => clock.nowMs);
  const first = Promise.withResolvers<string>();
  const second = Promise.withResolvers<string>();
  const waits = [time.spend(() => first.promise), time.spend(() => second.promise).catch(() => 'failed')];
  clock.nowMs += 30;
  first.resolve('done');
  await waits[0];
  clock.nowMs += 20;
  expect(time.totalMs()).toBe(50);
  second.reject(new Error('down'));
  expect(await waits[1]).toBe('failed');
  clock.nowMs += 1_000;
  expect(time.totalMs()).toBe(50);
  await time.spend(async () => {
    clock.nowMs += 5;
  });
  expect(time.totalMs()).toBe(55);
});
