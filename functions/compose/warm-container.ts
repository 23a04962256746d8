/**
 * Prepares a container before its first request. Lambda gives the init phase a full processor whatever the memory size,
 * and often creates a container before a request needs it.
 */
import type { Logger } from '../../lib/observability/logger.ts';

/** Runs all steps. A failure is only logged, because the first request does the step again. */
export async function warmContainer(
  logger: Pick<Logger, 'info'>,
  steps: readonly (() => Promise<unknown>)[],
): Promise<void> {
  const stepResults = await Promise.allSettled(steps.map((step) => step()));
  for (const stepResult of stepResults) {
    if (stepResult.status === 'rejected')
      logger.info('container.warm_up_failed', { reason: (stepResult.reason as Error).message });
  }
}
