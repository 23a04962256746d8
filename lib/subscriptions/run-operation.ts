/** Runs an operation: lets it decide, and makes the decided change between the intent and the timeline entry. */
import { type Applied, runChange } from '../timeline/run-change.ts';
import type { AppliedOutcome, Decision, OperationDeps, PlannedChange } from './operation.ts';
import type { OperationOutcome } from './operation-error.ts';

/**
 * Calls `decide`, for example an `Operation` with its arguments, and makes the change that it returns. If the change is
 * stale, decides again with the new state. Returns the outcome.
 * @throws the errors of the operation and of `runChange`
 */
export async function runOperation(
  deps: Pick<OperationDeps, 'beginChange'>,
  decide: () => Promise<Decision>,
): Promise<OperationOutcome> {
  let decision = await decide();
  while ('apply' in decision) {
    const outcome = await make(deps, decision);
    if (outcome !== 'stale') return outcome;
    if (decision.restart === undefined) throw new Error('a stale change cannot be decided again');
    decision = await decision.restart();
  }
  return decision;
}

async function make(
  { beginChange }: Pick<OperationDeps, 'beginChange'>,
  { intent, apply }: PlannedChange,
): Promise<OperationOutcome | 'stale'> {
  const { result, isRecorded } = await runChange((one) => beginChange(one), {
    intents: [intent],
    apply: async (recordAlso) => toApplied(await apply(recordAlso)),
  });
  return isRecorded && result !== 'stale' ? { ...result, isRecorded } : result;
}

function toApplied(outcome: AppliedOutcome | 'stale'): Applied<AppliedOutcome | 'stale'> {
  if (outcome === 'stale') return { result: outcome, effect: 'none' };
  const { answered, attempt, changed: changes, isOthers = false, isSeen = false } = outcome;
  // Has no effect of its own if nothing was changed, or a concurrent request made the same change.
  const effect = answered === null || isOthers ? 'none' : isSeen ? 'seen' : 'done';
  return { result: outcome, effect, changes, attempt, replay: replayOf(outcome) };
}

/**
 * Returns what a retry with the same idempotency key needs beyond the timeline entry: user errors, the change of
 * another request, a change that a read showed, and fields that the service fills in itself. CONCURRENT_UPDATE is not
 * stored, because the client should retry.
 * @returns undefined when the entry is enough
 */
function replayOf(outcome: AppliedOutcome): Applied<unknown>['replay'] {
  const { answered, userErrors, attempt, locals = {}, isOthers = false, isSeen = false } = outcome;
  if (userErrors.some(({ code }) => code === 'CONCURRENT_UPDATE')) return undefined;
  const hasLocals = Object.values(locals).some((value) => !Array.isArray(value) || value.length > 0);
  const isMissing = userErrors.length > 0 || isOthers || isSeen || (answered !== null && hasLocals);
  const ids = attempt === undefined ? {} : { subscriptionBillingAttempt: attempt.id };
  return isMissing ? { userErrors, locals, ids } : undefined;
}
