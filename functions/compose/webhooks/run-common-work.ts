import { toFailureCause } from '../../../lib/errors/to-failure-cause.ts';
import type { Logger } from '../../../lib/observability/logger.ts';

/**
 * Work of a worker that concerns all stores together. `run` works until `endAtMs` (epoch milliseconds), and returns how
 * many items it has done.
 */
export type CommonWork = { readonly name: string; readonly run: (endAtMs: number) => Promise<number> };

type Deps = { readonly logger: Logger; readonly now: () => number };

/**
 * The time limit of one kind of work. The next run a minute later does the rest. The work of single stores waits at
 * most this long.
 */
export const MAX_MS_PER_WORK_KIND = 45_000;

/**
 * Runs the kinds of work one after another, each for at most `maxMsPerKind`. A failure is logged, and the next run
 * repeats the work, so that the work of single stores need not wait for it.
 */
export async function runCommonWork(
  { logger, now }: Deps,
  work: readonly CommonWork[],
  maxMsPerKind = MAX_MS_PER_WORK_KIND,
): Promise<void> {
  for (const { name, run } of work) {
    try {
      const doneCount = await run(now() + maxMsPerKind);
      if (doneCount > 0) logger.info('common_work.completed', { name, count: doneCount });
    } catch (error) {
      const cause = toFailureCause(error);
      logger.error('due_work.failed', { name, cause });
    }
  }
}
