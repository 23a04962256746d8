/** Runs an operation's change between the intent in the timeline and the intent's settlement. */
import { ifAnswered } from '../errors/if-answered.ts';
import { isCertainlyNotDone } from '../errors/is-outcome-unknown.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { ChangeIntent, OpenChange } from '../timeline/begin-change.ts';
import type { ChangedFact } from '../timeline/changed-fact.ts';
import type { ObservedAttempt } from '../timeline/observed-attempt.ts';
import type { OperationDeps } from './operation.ts';
import type { OperationOutcome } from './operation-error.ts';

export type RecordedOutcome = OperationOutcome & {
  /** The actual changes, if they differ from the intent's. */
  readonly changed?: readonly ChangedFact[];
  /** The platform's response was lost, and a read shows the change. */
  readonly isSeen?: boolean;
  /** The attempt that a charge returned. */
  readonly attempt?: ObservedAttempt;
  /**
   * A concurrent request made the same change: this client gets its response, and the timeline has only the other
   * request's entry.
   */
  readonly isOthers?: boolean;
};

/**
 * Writes the intent, makes the change, and settles the intent: done or seen if the change has a response; removed if
 * the change was refused, made by another request, or certainly not made. After OUTCOME_UNKNOWN or an internal error
 * the intent stays open, and the scheduled work settles it.
 * @throws the errors of `change`; TEMPORARILY_UNAVAILABLE when no intent can be written
 */
export async function recordedChange(
  { beginChange }: Pick<OperationDeps, 'beginChange'>,
  intent: ChangeIntent,
  change: (open: Pick<OpenChange, 'recordAlso'>) => Promise<RecordedOutcome>,
): Promise<OperationOutcome> {
  const open = await beginChange(intent);
  try {
    const outcome = await change(open);
    await storeOutcome(open, outcome);
    await settle(open, outcome);
    return isDropped(outcome) ? outcome : { ...outcome, isRecorded: true };
  } catch (error) {
    if (isCertainlyNotDone(error)) await open.notDone();
    throw error;
  }
}

/**
 * Stores the parts of the response that the timeline entry lacks, so that a retry with the same idempotency key gets
 * the same response: a refusal, another request's change, a change that was only seen, values that the service fills
 * itself. CONCURRENT_UPDATE is not stored, because the client should retry.
 * @throws TEMPORARILY_UNAVAILABLE if it cannot be stored and nothing was changed; OUTCOME_UNKNOWN after a possible
 * change
 */
async function storeOutcome(open: OpenChange, outcome: RecordedOutcome): Promise<void> {
  const { answered, userErrors, attempt, locals = {}, isOthers = false, isSeen = false } = outcome;
  const { storeResponse } = open;
  if (storeResponse === undefined || userErrors.some(({ code }) => code === 'CONCURRENT_UPDATE')) return;
  const ids = attempt === undefined ? {} : { subscriptionBillingAttempt: attempt.id };
  const response = { userErrors, locals, ids };
  const hasLocals = Object.values(locals).some((value) => !Array.isArray(value) || value.length > 0);
  if (userErrors.length > 0 || isOthers) await storeResponse(response);
  else if (isSeen) await storeResponse(response).catch(unknown);
  else if (answered !== null && hasLocals) await ifAnswered(() => storeResponse(response));
}

function unknown(cause: unknown): never {
  throw new ServiceError('OUTCOME_UNKNOWN', { internal: 'what was seen could not be kept', cause });
}

function settle(open: OpenChange, outcome: RecordedOutcome): Promise<void> {
  const { attempt, isSeen, changed } = outcome;
  if (isDropped(outcome)) return open.notDone();
  if (attempt !== undefined) return open.attempted(attempt);
  return isSeen ? open.seen(changed) : open.done(changed);
}

/** Whether the intent is removed: nothing was changed, or a concurrent request made the change. */
function isDropped({ answered, isOthers = false }: RecordedOutcome): boolean {
  return answered === null || isOthers;
}
