/** Removes the pause record of a contract that was resumed or has ended. */
import { ignoreServiceError } from '../../errors/ignore-service-error.ts';
import type { ContractRef } from '../contract-ref.ts';
import type { TimedPauseRepository } from './timed-pauses.ts';

type EndedPause = ContractRef & {
  /** When the change that ended the pause started, epoch milliseconds. A pause that was set later is not removed. */
  readonly beganAtMs: number;
};

/**
 * Removes the timed pause, so that it does not become due. Call this after a change that certainly left the contract
 * in a status other than PAUSED. Do not call it when the outcome is unknown: a contract that is still paused must be
 * resumed at the end of its pause. Ignores a table failure, because a pause that remains has no effect when it
 * becomes due.
 */
export async function removeTimedPause(
  { timedPauses }: { readonly timedPauses: Pick<TimedPauseRepository, 'read' | 'end'> },
  endedPause: EndedPause,
): Promise<void> {
  await ignoreServiceError(async () => {
    const pause = await timedPauses.read(endedPause);
    if (pause !== undefined && pause.setAtMs <= endedPause.beganAtMs) await timedPauses.end(pause);
  });
}
