/** A contract that was resumed, or has ended, has nothing left to be resumed from. */
import { ifAnswered } from '../../errors/if-answered.ts';
import type { ContractRef } from '../contract-ref.ts';
import type { TimedPauses } from './timed-pauses.ts';

type EndedPause = ContractRef & {
  /** When the change was begun, epoch milliseconds: a pause that was made since stays. */
  readonly beganAtMs: number;
};

/**
 * Ends what is kept of the contract's pause, so that it does not come due. To be called when a change was done and has
 * left the contract in another state than PAUSED; not when that is unknown, because a contract that is paused still has
 * to be resumed. The platform has answered, so nothing is thrown: a pause that cannot be ended now means nothing any
 * more, and goes when its time comes.
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
