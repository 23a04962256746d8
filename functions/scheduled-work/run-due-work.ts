import type { Logger } from '../../lib/observability/logger.ts';

/** One kind of work. `run` does what is due and returns how many items it has done. */
export type DueWork = { readonly name: string; readonly run: () => Promise<number> };

type Deps = { readonly logger: Logger; readonly now: () => number };

/** Runs each kind of work in turn; one that fails is logged, and the others still run. Then the run fails. */
export async function runDueWork({ logger, now }: Deps, work: readonly DueWork[]): Promise<void> {
  const startedAtMs = now();
  const failed: string[] = [];
  let done = 0;
  for (const { name, run } of work) {
    try {
      const count = await run();
      done += count;
      logger.info('due work done', { name, count });
    } catch (error) {
      failed.push(name);
      logger.error('due work failed', { name, cause: error instanceof Error ? error.message : 'unknown' });
    }
  }
  logger.info('scheduled run', { kinds: work.length, done, failed, durationMs: now() - startedAtMs });
  if (failed.length > 0) throw new Error(`Due work failed: ${failed.join(', ')}.`);
}
