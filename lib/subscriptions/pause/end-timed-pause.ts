/** Ends the timed pause of a contract that was resumed or has ended. */
import { ifAnswered } from '../../errors/if-answered.ts';
import type { ContractRef } from '../contract-ref.ts';
import type { TimedPauses } from './timed-pauses.ts';

type EndedPause = ContractRef & {
  /** The time at which the change began, epoch milliseconds. A pause that was set later remains. */
  readonly beganAtMs: number;
};

/**
 * Removes the timed pause, so that it does not become due. Callers use it after a successful change that left the
 * contract in another state than PAUSED. They do not use it when the outcome is unknown, because a paused contract
 * still has to be resumed. It does not fail when the store is unavailable: a pause that remains has no effect when it
 * becomes due.
 */
export async function endTimedPause(
  { timedPauses }: { readonly timedPauses: Pick<TimedPauses, 'read' | 'end'> },
  ended: EndedPause,
): Promise<void> {
  await ifAnswered(async () => {
    const pause = await timedPauses.read(ended);
    if (pause !== undefined && pause.setAtMs <= ended.beganAtMs) await timedPauses.end(pause);
  });
}
