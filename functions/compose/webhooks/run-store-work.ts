/**
 * Runs a worker for all queued stores: several stores at the same time, and the kinds of work of one store in order.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { toFailureCause } from '../../../lib/errors/to-failure-cause.ts';
import type { Logger } from '../../../lib/observability/logger.ts';
import { processWorkQueue, type StoreWork } from '../../../lib/storage/work-queue/process-work-queue.ts';
import type { WorkKind, WorkQueue } from '../../../lib/storage/work-queue/work-queue.ts';

/**
 * One kind of work for a store. `run` returns when it must run again (epoch milliseconds), or undefined when nothing is
 * left to do.
 */
export type StoreWorkKind = { readonly name: string; readonly run: StoreWork };

type Deps = {
  readonly workQueue: Pick<WorkQueue, 'take'>;
  readonly logger: Logger;
  readonly now: () => number;
};

/**
 * A run ends more than a minute before the function's timeout, and just before the schedule starts the next run, which then
 * leases its stores. Runs that the schedule starts in the meantime lease other stores.
 */
const RUN_MS = 235_000;
export const STORE_TIME_SLICE_MS = 60_000;
export const STORE_CONCURRENCY = 20;
/** Fewer than of the other workers: each store has up to sixteen requests to the platform under way. */
export const BILLING_STORE_CONCURRENCY = 8;

type StoreRun = {
  readonly kind: WorkKind;
  /** The time limit of the run in milliseconds, almost four minutes by default. */
  readonly runMs?: number | undefined;
  /** How many stores are processed at the same time. */
  readonly storeConcurrency?: number;
  /** Resolves after `ms`, or as soon as the signal is aborted; a test replaces it. */
  readonly waitOrStop?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
};

/**
 * Processes all due stores of this worker. A failure of one kind of work is logged, and the store's other kinds still
 * run.
 */
export async function runStoreWork(
  deps: Deps,
  { kind, runMs = RUN_MS, storeConcurrency = STORE_CONCURRENCY, waitOrStop = waitUntilAborted }: StoreRun,
  work: readonly StoreWorkKind[],
): Promise<void> {
  const startedAtMs = deps.now();
  const queueLimits = {
    endAtMs: startedAtMs + runMs,
    timeSliceMs: STORE_TIME_SLICE_MS,
    storeConcurrency,
  };
  const doneSliceCount = await processWorkQueue(
    { ...deps, wait: waitOrStop },
    { kind, ...queueLimits },
    runKindsInOrder(deps, work),
  );
  if (doneSliceCount > 0)
    deps.logger.info('work_queue.processed', {
      kind,
      done: doneSliceCount,
      durationMs: deps.now() - startedAtMs,
    });
}

/**
 * Returns a function that runs all kinds of a store's work in order, and returns the earliest time at which one must
 * run again. If a kind fails, it runs the others and then throws.
 */
function runKindsInOrder({ logger }: Deps, work: readonly StoreWorkKind[]): StoreWork {
  return async (timeSlice) => {
    const dueTimes: number[] = [];
    const failedKinds: string[] = [];
    for (const { name, run } of work) {
      if (timeSlice.signal.aborted) break;
      try {
        const nextAtMs = await run(timeSlice);
        if (nextAtMs !== undefined) dueTimes.push(nextAtMs);
      } catch (error) {
        failedKinds.push(name);
        const cause = toFailureCause(error);
        logger.error('due_work.failed', { name, shopId: timeSlice.shopId, cause });
      }
    }
    if (failedKinds.length > 0) throw new Error(`Due work failed: ${failedKinds.join(', ')}.`);
    return dueTimes.length === 0 ? undefined : Math.min(...dueTimes);
  };
}

async function waitUntilAborted(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => undefined);
}
