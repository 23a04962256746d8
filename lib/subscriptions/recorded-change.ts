/** Every operation makes its change between the intent in the timeline and the intent's settlement. */
import { isCertainlyNotDone } from '../errors/is-outcome-unknown.ts';
import type { ChangeIntent, OpenChange } from '../timeline/begin-change.ts';
import type { ChangedFact } from '../timeline/changed-fact.ts';
import type { SeenAttempt } from '../timeline/seen-attempt.ts';
import type { OperationDeps } from './operation.ts';
import type { OperationOutcome } from './operation-error.ts';

export type RecordedOutcome = OperationOutcome & {
  /** What really changed, if it differs from the intent's. */
  readonly changed?: readonly ChangedFact[];
  /** The platform's answer was lost: a read shows the change. */
  readonly isSeen?: boolean;
  /** The attempt that a charge was answered with. */
  readonly attempt?: SeenAttempt;
  /** Somebody else made the same change at the same time: this client is answered, and the timeline tells theirs. */
  readonly isOthers?: boolean;
};

/**
 * Writes the intent, makes the change, settles the intent: done or seen if something is answered, gone if the change
 * was refused, made by somebody else, or certainly not made. After OUTCOME_UNKNOWN, and after a fault of ours, it stays
 * open: the scheduled work finds out. Throws what `change` throws, and TEMPORARILY_UNAVAILABLE if no intent can be
 * written.
 */
export async function recordedChange(
  { beginChange }: Pick<OperationDeps, 'beginChange'>,
  intent: ChangeIntent,
  change: () => Promise<RecordedOutcome>,
): Promise<OperationOutcome> {
  const open = await beginChange(intent);
  try {
    const outcome = await change();
    await settle(open, outcome);
    return outcome;
  } catch (error) {
    if (isCertainlyNotDone(error)) await open.notDone();
    throw error;
  }
}

function settle(
  open: OpenChange,
  { answered, attempt, isSeen, isOthers, changed }: RecordedOutcome,
): Promise<void> {
  if (answered === null || isOthers) return open.notDone();
  if (attempt !== undefined) return open.attempted(attempt);
  return isSeen ? open.seen(changed) : open.done(changed);
}
