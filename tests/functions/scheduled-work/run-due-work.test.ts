import { expect, test } from '@jest/globals';
import {
  parseStoreShards,
  runDueWork,
  SCHEDULED_RUN_MS,
} from '../../../functions/scheduled-work/run-due-work.ts';
import { FUNCTION_DEFINITIONS } from '../../../infra/definition/function-definitions.ts';
import { INTERVAL_MINUTES } from '../../../infra/definition/timetable.ts';
import type { ShopId } from '../../../lib/domain/shop-id.ts';
import type { LogFields, Logger } from '../../../lib/observability/logger.ts';
import {
  createScheduledTaskRepository,
  STORE_SHARDS,
  type StoreShard,
} from '../../../lib/storage/scheduled-tasks.ts';
import { acquireShardLease, shardLeaseKey } from '../../../lib/storage/work-queue/shard-lease.ts';
import { createMemoryTable } from '../../memory-table.ts';

function recorder() {
  const lines: [string, LogFields | undefined][] = [];
  const log = (message: string, fields?: LogFields) => {
    lines.push([message, fields]);
  };
  return { lines, logger: { debug: log, info: log, warn: log, error: log } };
}

function depsOf(logger: Logger, clock = { nowMs: 0 }) {
  const now = () => clock.nowMs;
  const table = createMemoryTable();
  return {
    ...{ logger, now, table },
    scheduledTasks: createScheduledTaskRepository({ table, now }),
    acquireLease: (part: StoreShard, untilMs: number) =>
      acquireShardLease({ table, now, newId: () => crypto.randomUUID() }, shardLeaseKey(part), untilMs),
  };
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
  const run = runDueWork(
    depsOf(logger),
    [work('first', () => Promise.reject(new Error('no'))), work('second', async () => 3)],
    [0],
  );
  await expect(run).rejects.toThrow('Due work failed: first.');
  expect(order).toEqual(['first', 'second']);
  expect(lines.at(-1)).toEqual([
    'scheduled_run.completed',
    { kinds: 2, parts: '0', done: 3, failed: ['first'], durationMs: 0 },
  ]);
});

test('a run without work says so', async () => {
  const { lines, logger } = recorder();
  await runDueWork(depsOf(logger), [], [0]);
  expect(lines).toEqual([
    ['scheduled_run.completed', { kinds: 0, parts: '0', done: 0, failed: [], durationMs: 0 }],
  ]);
});

test('each kind has an equal part of the time that is left', async () => {
  const { logger } = recorder();
  const clock = { nowMs: 0 };
  const ends: number[] = [];
  const work = (tookMs: number) => ({
    name: 'work',
    run: async (_deps: unknown, endAtMs: number) => {
      ends.push(endAtMs);
      clock.nowMs += tookMs;
      return 0;
    },
  });
  await runDueWork(depsOf(logger, clock), [work(0), work(10_000), work(0)], [0]);
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
      run: async (_deps: unknown, endAtMs: number) => {
        order.push(name);
        const tookMs = Math.min(left, endAtMs - clock.nowMs);
        left -= tookMs;
        clock.nowMs += tookMs;
        return (tookMs / 60_000) * doneAMinute;
      },
    };
  };
  const kinds = [work('small', 0), work('large', 500_000), work('stuck', 300_000, 0), work('last', 0)];
  await runDueWork(depsOf(logger, clock), kinds, [0]);
  // The one that was stuck has done nothing, so it is not tried again.
  expect(order).toEqual(['small', 'large', 'stuck', 'last', 'large']);
  expect(clock.nowMs).toBe(760_000);
  expect(lines.at(-1)?.[1]).toMatchObject({ kinds: 4, failed: [] });
});

const SHOPS = STORE_SHARDS.map((part) => (81234567000 + part) as ShopId);

/** A pause is due of a store of each part. `resume` ends those that it finds. */
async function setUpPauses(clock = { nowMs: Date.parse('2026-11-24T12:00:00Z') }) {
  const { logger } = recorder();
  const deps = depsOf(logger, clock);
  for (const shopId of SHOPS)
    await deps.scheduledTasks.put({ kind: 'pause', shopId, dueAtMs: clock.nowMs, name: '1', payload: {} });
  const resumed: ShopId[] = [];
  const resume = {
    name: 'end pauses',
    run: async ({ scheduledTasks }: typeof deps) => {
      let count = 0;
      for await (const item of scheduledTasks.listDue('pause', clock.nowMs)) {
        resumed.push(item.shopId);
        await scheduledTasks.remove(item);
        count++;
      }
      return count;
    },
  };
  return { clock, deps, resumed, resume };
}

test('a run for a part does the work of its stores alone', async () => {
  const { deps, resumed, resume } = await setUpPauses();
  await runDueWork(deps, [resume], parseStoreShards({ part: 3 }));
  expect(resumed).toEqual([SHOPS[3]]);
});

test('a run that names no part does the work of all stores', async () => {
  const { deps, resumed, resume } = await setUpPauses();
  await runDueWork(deps, [resume], parseStoreShards({ source: 'aws.scheduler' }));
  expect(resumed).toEqual(SHOPS);
});

test('a second run of a part does nothing while the first is at it, and a crashed one is over before the next is due', async () => {
  const { clock, deps, resumed, resume } = await setUpPauses();
  const crashed = await deps.acquireLease(
    3,
    clock.nowMs + FUNCTION_DEFINITIONS['scheduled-work'].timeoutSeconds * 1000,
  );
  expect(crashed).toBeDefined();
  await runDueWork(deps, [resume], parseStoreShards({ part: 3 }));
  expect(resumed).toEqual([]);
  clock.nowMs += INTERVAL_MINUTES['scheduled-work'] * 60_000;
  await runDueWork(deps, [resume], parseStoreShards({ part: 3 }));
  expect(resumed).toEqual([SHOPS[3]]);
  expect(await deps.table.get(shardLeaseKey(3))).toBeUndefined();
});

test('holds the lease of a part for as long as the function may run', async () => {
  const { clock, deps } = await setUpPauses();
  let leaseMs = 0;
  const readItems = async ({ table }: typeof deps) => {
    leaseMs = Number((await table.get(shardLeaseKey(3)))?.leaseUntilMs) - clock.nowMs;
    return 0;
  };
  await runDueWork(deps, [{ name: 'look', run: readItems }], [3]);
  expect(leaseMs).toBe(FUNCTION_DEFINITIONS['scheduled-work'].timeoutSeconds * 1000);
  expect(leaseMs).toBeGreaterThan(SCHEDULED_RUN_MS);
});

test.each([undefined, null, 'x', { part: 8 }, { part: '3' }, { part: -1 }])(
  'takes %p for no other part',
  (event) => {
    const isNamed = typeof event === 'object' && event !== null;
    expect(parseStoreShards(event)).toEqual(isNamed ? [] : STORE_SHARDS);
  },
);
