/** A pause that was ended by a mutation which is only forwarded has nothing left to resume. */
import type { ContractRef } from '../contract-ref.ts';
import type { TimedPauses } from './timed-pauses.ts';

type Deps = { readonly timedPauses: Pick<TimedPauses, 'read' | 'end'> };

export type EndedPause = ContractRef & {
  /** When the change was begun, epoch milliseconds: a pause that was made since stays. */
  readonly beganAtMs: number;
};

/**
 * Forgets the contract's pause, so that it does not come due. To be called when a forwarded activate, cancel, expire
 * or fail, or a draft with a status, was done and has left the contract in another state than PAUSED; not when that
 * is unknown, because a contract that is paused still has to be resumed. TEMPORARILY_UNAVAILABLE if the table does
 * not answer; then the scheduled work finds that nothing is to be done when the time comes.
 */
export async function forgetTimedPause({ timedPauses }: Deps, ended: EndedPause): Promise<void> {
  const pause = await timedPauses.read(ended);
  if (pause === undefined || pause.setAtMs > ended.beganAtMs) return;
  await timedPauses.end(pause);
}
