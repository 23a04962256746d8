import { expect, test } from '@jest/globals';
import { createPlatformTimer } from '../../../lib/observability/platform-timer.ts';

test('what is waited for at once counts once, failures too, and what goes on counts so far', async () => {
  const clock = { nowMs: 1_000 };
  const time = createPlatformTimer(() => clock.nowMs);
  const first = Promise.withResolvers<string>();
  const second = Promise.withResolvers<string>();
  const waits = [time.measure(() => first.promise), time.measure(() => second.promise).catch(() => 'failed')];
  clock.nowMs += 30;
  first.resolve('done');
  await waits[0];
  clock.nowMs += 20;
  expect(time.totalMs()).toBe(50);
  second.reject(new Error('down'));
  expect(await waits[1]).toBe('failed');
  clock.nowMs += 1_000;
  expect(time.totalMs()).toBe(50);
  await time.measure(async () => {
    clock.nowMs += 5;
  });
  expect(time.totalMs()).toBe(55);
});
