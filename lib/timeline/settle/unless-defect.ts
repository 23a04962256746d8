/** A mistake in this code that keeps one intent open keeps no other one open, and does not end the run. */
import { isDefect } from '../../errors/is-defect.ts';
import type { Logger } from '../../observability/logger.ts';
import { GIVE_UP_AFTER_MS, type OpenIntent } from '../intent.ts';

type Deps = { readonly logger: Pick<Logger, 'warn'>; readonly now: () => number };

/**
 * Does the work of one intent. `passed over`: a mistake is in the way, and may be mended by the next run; `given up`: it was
 * for a week, and nobody waits longer for a contract that cannot be read either. All other errors go on.
 */
export async function unlessDefect(
  { logger, now }: Deps,
  { shopId, action, number, createdAtMs }: OpenIntent,
  work: () => Promise<void>,
): Promise<'done' | 'passed over' | 'given up'> {
  try {
    await work();
    return 'done';
  } catch (error) {
    if (!isDefect(error)) throw error;
    logger.warn('intent.settlement_failed', { shopId, action, number, cause: error.message });
    return now() - createdAtMs > GIVE_UP_AFTER_MS ? 'given up' : 'passed over';
  }
}
