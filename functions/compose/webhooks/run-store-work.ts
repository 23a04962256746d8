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
  readonly workQueue: Pick<WorkQueue, 'leaseStores'>;
  readonly logger: Logger;
  readonly now: () => number;
};

/**
 * The time limit of a run. The run ends more than a minute before the function's timeout, and just before the schedule
 * starts a run that then leases the same stores. Runs that the schedule starts in the meantime lease other stores.
 */
const MAX_RUN_MS = 235_000;
export const STORE_TIME_SLICE_MS = 60_000;
export const STORE_CONCURRENCY = 20;
/** Fewer than for the other workers, because each store has up to sixteen requests to the platform in progress. */
export const BILLING_STORE_CONCURRENCY = 8;

type StoreRun = {
  readonly kind: WorkKind;
  /** The time limit of the run in milliseconds, almost four minutes by default. */
  readonly maxRunMs?: number | undefined;
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
  {
    kind,
    maxRunMs = MAX_RUN_MS,
    storeConcurrency = STORE_CONCURRENCY,
    waitOrStop = waitUntilAborted,
  }: StoreRun,
  workKinds: readonly StoreWorkKind[],
): Promise<void> {
  const startedAtMs = deps.now();
  const queueLimits = {
    endAtMs: startedAtMs + maxRunMs,
    timeSliceMs: STORE_TIME_SLICE_MS,
    storeConcurrency,
  };
  const doneSliceCount = await processWorkQueue(
    { ...deps, wait: waitOrStop },
    { kind, ...queueLimits },
    runKindsInOrder(deps, workKinds),
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
function runKindsInOrder({ logger }: Deps, workKinds: readonly StoreWorkKind[]): StoreWork {
  return async (timeSlice) => {
    const dueTimes: number[] = [];
    const failedKinds: string[] = [];
    for (const { name, run } of workKinds) {
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
