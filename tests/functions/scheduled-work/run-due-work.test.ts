import { expect, test } from '@jest/globals';
import { runDueWork } from '../../../functions/scheduled-work/run-due-work.ts';
import type { LogFields } from '../../../lib/observability/logger.ts';

function recorder() {
  const lines: [string, LogFields | undefined][] = [];
  const log = (message: string, fields?: LogFields) => {
    lines.push([message, fields]);
  };
  return { lines, logger: { debug: log, info: log, warn: log, error: log } };
}

test('one kind of work that fails does not keep the others from running, and the run fails', async () => {
  const { lines, logger } = recorder();
  const order: string[] = [];
  const work = (name: string, run: () => Promise<number>) => ({
    name,
    run: () => {
      order.push(name);
      return run();
    },
  });
  const run = runDueWork({ logger, now: () => 0 }, [
    work('first', () => Promise.reject(new Error('no'))),
    work('second', async () => 3),
  ]);
  await expect(run).rejects.toThrow('Due work failed: first.');
  expect(order).toEqual(['first', 'second']);
  expect(lines.at(-1)).toEqual(['scheduled run', { kinds: 2, done: 3, failed: ['first'], durationMs: 0 }]);
});

test('a run without work says so', async () => {
  const { lines, logger } = recorder();
  await runDueWork({ logger, now: () => 0 }, []);
  expect(lines).toEqual([['scheduled run', { kinds: 0, done: 0, failed: [], durationMs: 0 }]]);
});

test('each kind has an equal part of the time that is left', async () => {
  const { logger } = recorder();
  const clock = { nowMs: 0 };
  const ends: number[] = [];
  const work = (tookMs: number) => ({
    name: 'work',
    run: async (endAtMs: number) => {
      ends.push(endAtMs);
      clock.nowMs += tookMs;
      return 0;
    },
  });
  await runDueWork({ logger, now: () => clock.nowMs }, [work(0), work(10_000), work(0)]);
  expect(ends).toEqual([260_000, 390_000, 780_000]);
});

test('a kind that needed more than its part goes on with what the others have left', async () => {
  const { lines, logger } = recorder();
  const clock = { nowMs: 0 };
  const order: string[] = [];
  const work = (name: string, neededMs: number, doneAMinute = 1) => {
    let left = neededMs;
    return {
      name,
      run: async (endAtMs: number) => {
        order.push(name);
        const tookMs = Math.min(left, endAtMs - clock.nowMs);
        left -= tookMs;
        clock.nowMs += tookMs;
        return (tookMs / 60_000) * doneAMinute;
      },
    };
  };
  const kinds = [work('small', 0), work('large', 500_000), work('stuck', 300_000, 0), work('last', 0)];
  await runDueWork({ logger, now: () => clock.nowMs }, kinds);
  // The one that was stuck has done nothing, so it is not tried again.
  expect(order).toEqual(['small', 'large', 'stuck', 'last', 'large']);
  expect(clock.nowMs).toBe(760_000);
  expect(lines.at(-1)?.[1]).toMatchObject({ kinds: 4, failed: [] });
});
