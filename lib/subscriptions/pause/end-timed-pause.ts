import { ServiceError } from '../../errors/service-error.ts';
import type { OperationDeps } from '../operation.ts';
import { type EndedPause, forgetTimedPause } from './forget-timed-pause.ts';

/**
 * Forgets the pause of a contract that is resumed or cancelled. The platform has answered, so nothing is thrown:
 * what cannot be forgotten now means nothing any more, and goes when its time comes.
 */
export async function endPauseOf(deps: Pick<OperationDeps, 'timedPauses'>, ended: EndedPause): Promise<void> {
  await forgetTimedPause(deps, ended).catch((error: unknown) => {
    if (!(error instanceof ServiceError)) throw error;
  });
}
