import type { Logger } from '../../lib/observability/logger.ts';

/** One kind of work. `run` does what is due until `endAtMs` and returns how many items it has done. */
export type DueWork = { readonly name: string; readonly run: (endAtMs: number) => Promise<number> };

type Deps = { readonly logger: Logger; readonly now: () => number };

/** The function's own time-out is a minute longer. */
export const RUN_MS = 780_000;

/**
 * Runs each kind of work in turn, with an equal part of the time that is left; what used up its part goes on, in turn again,
 * with what the others have left. A kind that fails is logged and the others still run; after them the run throws.
 */
export async function runDueWork(deps: Deps, work: readonly DueWork[]): Promise<void> {
  const { logger, now } = deps;
  const startedAtMs = now();
  const run: Run = { endAtMs: startedAtMs + RUN_MS, failed: [], done: 0 };
  for (let round = work; round.length > 0 && now() < run.endAtMs; ) round = await runInTurn(deps, run, round);
  const { failed, done } = run;
  logger.info('scheduled run', { kinds: work.length, done, failed, durationMs: now() - startedAtMs });
  if (failed.length > 0) throw new Error(`Due work failed: ${failed.join(', ')}.`);
}

type Run = { readonly endAtMs: number; readonly failed: string[]; done: number };

/** Gives those that have used up their part, and have done something in it. */
async function runInTurn({ logger, now }: Deps, run: Run, work: readonly DueWork[]): Promise<DueWork[]> {
  const unfinished: DueWork[] = [];
  for (const [index, kind] of work.entries()) {
    const { name } = kind;
    const partEndsAtMs = now() + (run.endAtMs - now()) / (work.length - index);
    try {
      const count = await kind.run(partEndsAtMs);
      run.done += count;
      logger.info('due work done', { name, count });
      if (count > 0 && now() >= partEndsAtMs) unfinished.push(kind);
    } catch (error) {
      run.failed.push(name);
      logger.error('due work failed', { name, cause: error instanceof Error ? error.message : 'unknown' });
    }
  }
  return unfinished;
}
