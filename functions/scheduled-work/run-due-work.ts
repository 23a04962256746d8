import { shareTime } from '../../lib/domain/share-time.ts';
import type { Logger } from '../../lib/observability/logger.ts';

/** One kind of work. `run` does what is due until `endAtMs` and returns how many items it has done. */
export type DueWork = { readonly name: string; readonly run: (endAtMs: number) => Promise<number> };

type Deps = { readonly logger: Logger; readonly now: () => number };

/** The function's own time-out is a minute longer. */
export const RUN_MS = 780_000;

/**
 * Runs each kind of work in turn, with an equal share of the time that is left. A kind that fails is logged and the others still
 * run; after them the run throws.
 */
export async function runDueWork({ logger, now }: Deps, work: readonly DueWork[]): Promise<void> {
  const startedAtMs = now();
  const failed: string[] = [];
  let done = 0;
  await shareTime({ now, endAtMs: startedAtMs + RUN_MS }, work, async ({ name, run }, endAtMs) => {
    try {
      const count = await run(endAtMs);
      done += count;
      logger.info('due work done', { name, count });
      return count;
    } catch (error) {
      failed.push(name);
      logger.error('due work failed', { name, cause: error instanceof Error ? error.message : 'unknown' });
      return 0;
    }
  });
  logger.info('scheduled run', { kinds: work.length, done, failed, durationMs: now() - startedAtMs });
  if (failed.length > 0) throw new Error(`Due work failed: ${failed.join(', ')}.`);
}
