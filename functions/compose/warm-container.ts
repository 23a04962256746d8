/**
 * Prepares a container before its first request. Lambda gives init a whole processor for any memory size, and often
 * creates a container ahead of demand.
 */
import type { Logger } from '../../lib/observability/logger.ts';

/** Resolves when all steps are done. A failure is only logged: the first request then does the step. */
export async function warmContainer(
  logger: Pick<Logger, 'info'>,
  steps: readonly (() => Promise<unknown>)[],
): Promise<void> {
  const settled = await Promise.allSettled(steps.map((step) => step()));
  for (const one of settled) {
    if (one.status === 'rejected')
      logger.info('container.warm_up_failed', { reason: (one.reason as Error).message });
  }
}
