/**
 * Runs all kinds of scheduled work. Stores are divided into shards, and the schedule starts one run per shard, so that
 * shards are processed in parallel. A run without a shard processes all shards.
 */

import { toFailureCause } from '../../lib/errors/to-failure-cause.ts';
import type { Logger } from '../../lib/observability/logger.ts';
import { type ScheduledTasks, STORE_SHARDS, type StoreShard } from '../../lib/storage/scheduled-tasks.ts';
import { runInTimeShares } from '../../lib/storage/work-queue/run-in-time-shares.ts';
import type { ShardLease } from '../../lib/storage/work-queue/shard-lease.ts';

type StoreShardDeps = { readonly scheduledTasks: ScheduledTasks };

type RunDueWorkDeps = StoreShardDeps & {
  readonly logger: Logger;
  readonly now: () => number;
  /**
   * Leases one shard of the stores until `untilMs` (epoch milliseconds).
   * @returns undefined when another run has leased the shard
   */
  readonly acquireLease: (shard: StoreShard, untilMs: number) => Promise<ShardLease | undefined>;
};

/**
 * One kind of scheduled work. `run` works until `endAtMs` (epoch milliseconds), and returns how many items it has done.
 * Its `scheduledTasks` lists only the items of one shard of the stores.
 */
export type DueWork<Deps extends StoreShardDeps> = {
  readonly name: string;
  readonly run: (deps: Deps, endAtMs: number) => Promise<number>;
};

export const SCHEDULED_RUN_MS = 780_000;
/** By how much the function's timeout is longer than a run. */
const TIMEOUT_MARGIN_MS = 60_000;

/** Returns the shard that an event of the schedule names (`{ part: 3 }`), or all shards when it names none. */
export function parseStoreShards(event: unknown): readonly StoreShard[] {
  const { part } = (event ?? {}) as { readonly part?: unknown };
  return STORE_SHARDS.filter((shard) => part === undefined || shard === part);
}

/**
 * Processes the shards one after another. Each shard gets an equal share of the remaining time, and each kind of work
 * an equal share of the shard's time. A failure of one kind is logged and the others still run; the run throws at the
 * end.
 */
export async function runDueWork<Deps extends RunDueWorkDeps>(
  deps: Deps,
  workKinds: readonly DueWork<Deps>[],
  shards: readonly StoreShard[],
): Promise<void> {
  const { logger, now } = deps;
  const startedAtMs = now();
  const scheduledRun = { endAtMs: startedAtMs + SCHEDULED_RUN_MS, failed: new Set<string>(), done: 0 };
  await runInTimeShares({ now, endAtMs: scheduledRun.endAtMs }, shards, async (shard, endAtMs) => {
    const lease = await deps.acquireLease(shard, scheduledRun.endAtMs + TIMEOUT_MARGIN_MS);
    if (lease === undefined) return 0;
    try {
      const { done, failed } = await runStoreShard(limitToStoreShard(deps, shard), workKinds, endAtMs);
      scheduledRun.done += done;
      for (const name of failed) scheduledRun.failed.add(name);
      return done;
    } finally {
      await lease.release();
    }
  });
  const [failed, durationMs] = [[...scheduledRun.failed], now() - startedAtMs];
  logger.info('scheduled_run.completed', {
    kinds: workKinds.length,
    parts: shards.join(),
    done: scheduledRun.done,
    failed,
    durationMs,
  });
  if (failed.length > 0) throw new Error(`Due work failed: ${failed.join(', ')}.`);
}

/** Limits the scheduled tasks of the dependencies to one shard of the stores. */
function limitToStoreShard<Deps extends StoreShardDeps>(deps: Deps, shard: StoreShard): Deps {
  const { scheduledTasks } = deps;
  return {
    ...deps,
    scheduledTasks: {
      ...scheduledTasks,
      listDue: (kind, nowMs) => scheduledTasks.listDue(kind, nowMs, shard),
    },
  };
}

async function runStoreShard<Deps extends RunDueWorkDeps>(
  deps: Deps,
  workKinds: readonly DueWork<Deps>[],
  endAtMs: number,
) {
  const { logger, now } = deps;
  const failedKinds: string[] = [];
  let doneCount = 0;
  await runInTimeShares({ now, endAtMs }, workKinds, async ({ name, run }, shareEndsAtMs) => {
    try {
      const doneInShare = await run(deps, shareEndsAtMs);
      doneCount += doneInShare;
      if (doneInShare > 0) logger.info('due_work.completed', { name, count: doneInShare });
      return doneInShare;
    } catch (error) {
      failedKinds.push(name);
      logger.error('due_work.failed', { name, cause: toFailureCause(error) });
      return 0;
    }
  });
  return { done: doneCount, failed: failedKinds };
}
