import type { Logger } from '../../../lib/observability/logger.ts';

/**
 * A kind of a worker's work that belongs to no single store. `run` does due work until `endAtMs`, and returns how
 * much.
 */
export type CommonWork = { readonly name: string; readonly run: (endAtMs: number) => Promise<number> };

type Deps = { readonly logger: Logger; readonly now: () => number };

/** The rest continues a minute later; the stores' work waits at most this long. */
export const RUN_MS = 45_000;

/**
 * Runs each kind for `runMs`, one after another. A failure is logged, and the next run retries: the stores' work does
 * not wait for it.
 */
export async function runCommonWork(
  { logger, now }: Deps,
  work: readonly CommonWork[],
  runMs = RUN_MS,
): Promise<void> {
  for (const { name, run } of work) {
    try {
      const count = await run(now() + runMs);
      if (count > 0) logger.info('common_work.completed', { name, count });
    } catch (error) {
      const cause = error instanceof Error ? error.message : 'unknown';
      logger.error('due_work.failed', { name, cause });
    }
  }
}
