/** Every operation makes its change between the intent in the timeline and the intent's settlement. */
import { ifAnswered } from '../errors/if-answered.ts';
import { isCertainlyNotDone } from '../errors/is-outcome-unknown.ts';
import { ServiceError } from '../errors/service-error.ts';
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
  change: (open: Pick<OpenChange, 'tellToo'>) => Promise<RecordedOutcome>,
): Promise<OperationOutcome> {
  const open = await beginChange(intent);
  try {
    const outcome = await change(open);
    await keep(open, outcome);
    await settle(open, outcome);
    return outcome;
  } catch (error) {
    if (isCertainlyNotDone(error)) await open.notDone();
    throw error;
  }
}

/**
 * Keeps for those who repeat the request what the entry does not tell: a refusal, somebody else's change, one that was
 * only seen, what is answered here. Nobody must hear what a repeat would not: TEMPORARILY_UNAVAILABLE if nothing was
 * changed, OUTCOME_UNKNOWN if something may have been. Whoever was overtaken is to try again, perhaps here and now.
 */
async function keep(open: OpenChange, outcome: RecordedOutcome): Promise<void> {
  const { answered, userErrors, attempt, locals = {}, isOthers = false, isSeen = false } = outcome;
  const { keep: keepFor } = open;
  if (keepFor === undefined || userErrors.some(({ code }) => code === 'CONCURRENT_UPDATE')) return;
  const ids = attempt === undefined ? {} : { subscriptionBillingAttempt: attempt.id };
  const told = { userErrors, locals, ids };
  const hasLocals = Object.values(locals).some((value) => !Array.isArray(value) || value.length > 0);
  if (userErrors.length > 0 || isOthers) await keepFor(told);
  else if (isSeen) await keepFor(told).catch(unknown);
  else if (answered !== null && hasLocals) await ifAnswered(() => keepFor(told));
}

function unknown(cause: unknown): never {
  throw new ServiceError('OUTCOME_UNKNOWN', { internal: 'what was seen could not be kept', cause });
}

function settle(
  open: OpenChange,
  { answered, attempt, isSeen, isOthers, changed }: RecordedOutcome,
): Promise<void> {
  if (answered === null || isOthers) return open.notDone();
  if (attempt !== undefined) return open.attempted(attempt);
  return isSeen ? open.seen(changed) : open.done(changed);
}
