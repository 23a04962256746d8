/**
 * What a container does before its first request. Lambda gives init a whole processor whatever the function's memory is,
 * and often makes a container ahead of need.
 */
import type { Logger } from '../../lib/observability/logger.ts';

/** Resolves when every step is done. What fails is only noted: the first request does it then. */
export async function warmContainer(
  logger: Pick<Logger, 'info'>,
  steps: readonly (() => Promise<unknown>)[],
): Promise<void> {
  const settled = await Promise.allSettled(steps.map((step) => step()));
  for (const one of settled) {
    if (one.status === 'rejected')
      logger.info('a container could not be warmed', { reason: (one.reason as Error).message });
  }
}
