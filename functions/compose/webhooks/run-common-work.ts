import type { Logger } from '../../../lib/observability/logger.ts';

/** One kind of work of a worker that is of no one store. `run` does what is due until `endAtMs`, and returns how much that was. */
export type CommonWork = { readonly name: string; readonly run: (endAtMs: number) => Promise<number> };

type Deps = { readonly logger: Logger; readonly now: () => number };

/** What is left goes on a minute later; stores wait for no more than this. */
export const RUN_MS = 45_000;

/** Runs each kind in turn for `runMs`. One that fails is logged, and begun again by the next run: stores do not wait for it. */
export async function runCommonWork(
  { logger, now }: Deps,
  work: readonly CommonWork[],
  runMs = RUN_MS,
): Promise<void> {
  for (const { name, run } of work) {
    try {
      const count = await run(now() + runMs);
      if (count > 0) logger.info('common work done', { name, count });
    } catch (error) {
      const cause = error instanceof Error ? error.message : 'unknown';
      logger.error('due work failed', { name, cause });
    }
  }
}
