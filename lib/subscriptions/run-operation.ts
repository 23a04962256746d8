/** Runs an operation: lets it decide, and makes its change between the intent and the intent's settlement. */
import { type Applied, runChange } from '../timeline/run-change.ts';
import type { AppliedOutcome, Decision, OperationDeps, PlannedChange } from './operation.ts';
import type { OperationOutcome } from './operation-error.ts';

/**
 * Runs what decides, for example an `Operation` with its arguments. Returns the outcome; a change that is stale is decided again from fresh state.
 * @throws the errors of the operation, and those of `runChange`
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
  // Nothing was changed, or a concurrent request made the change.
  const effect = answered === null || isOthers ? 'none' : isSeen ? 'seen' : 'done';
  return { result: outcome, effect, changes, attempt, replay: replayOf(outcome) };
}

/**
 * Returns the parts of the response that the timeline entry lacks: a refusal, another request's change, a change that
 * was only seen, values that the service fills itself. CONCURRENT_UPDATE is not stored, because the client should
 * retry.
 */
function replayOf(outcome: AppliedOutcome): Applied<unknown>['replay'] {
  const { answered, userErrors, attempt, locals = {}, isOthers = false, isSeen = false } = outcome;
  if (userErrors.some(({ code }) => code === 'CONCURRENT_UPDATE')) return undefined;
  const hasLocals = Object.values(locals).some((value) => !Array.isArray(value) || value.length > 0);
  const isMissing = userErrors.length > 0 || isOthers || isSeen || (answered !== null && hasLocals);
  const ids = attempt === undefined ? {} : { subscriptionBillingAttempt: attempt.id };
  return isMissing ? { userErrors, locals, ids } : undefined;
}
