/** Runs an operation: lets it decide, and makes the decided change between the intent and the timeline entry. */
import { type ApplyChangeResult, type ChangeDecision, decideAndRunChange } from '../timeline/run-change.ts';
import type { AppliedOutcome, OperationDecision, OperationDeps } from './operation.ts';
import type { OperationOutcome } from './operation-error.ts';

/**
 * Calls `decide`, for example an `Operation` with its arguments, and makes the change that it returns. If the change is
 * stale, decides again with the new state. Returns the outcome.
 * @throws the errors of the operation and of `decideAndRunChange`
 */
export function runOperation(
  { beginChange }: Pick<OperationDeps, 'beginChange'>,
  decide: () => Promise<OperationDecision>,
): Promise<OperationOutcome> {
  return decideAndRunChange({ begin: (intent) => beginChange(intent) }, async () =>
    toChangeDecision(await decide()),
  );
}

function toChangeDecision(decision: OperationDecision): ChangeDecision<AppliedOutcome> {
  if (!('apply' in decision)) return { result: decision };
  const { intent, apply, restart } = decision;
  return {
    intents: [intent],
    apply: async (recordAlso) => toApplyResult(await apply(recordAlso)),
    ...(restart && { restart: async () => toChangeDecision(await restart()) }),
  };
}

function toApplyResult(outcome: AppliedOutcome | 'stale'): ApplyChangeResult<AppliedOutcome | 'stale'> {
  if (outcome === 'stale') return { result: outcome, effect: 'refused' };
  const { attempt, changed: changes } = outcome;
  const changeEffect = classifyOutcome(outcome);
  return { result: outcome, effect: changeEffect, changes, attempt, retryResponse: toReplay(outcome) };
}

function classifyOutcome({
  selectedFields,
  isOthers = false,
  isSeen = false,
  isUnfinished = false,
}: AppliedOutcome): ApplyChangeResult<unknown>['effect'] {
  if (selectedFields === null) return 'refused';
  if (isOthers) return 'unchanged';
  if (isUnfinished) return 'unknown';
  return isSeen ? 'seen' : 'done';
}

/**
 * Returns what a retry with the same idempotency key needs beyond the timeline entry: user errors, the change of
 * another request, a change that a read showed, and fields that the service fills in itself. CONCURRENT_UPDATE is not
 * stored, because the client should retry.
 * @returns undefined when the entry is enough
 */
function toReplay(outcome: AppliedOutcome): ApplyChangeResult<unknown>['retryResponse'] {
  const { selectedFields, userErrors, attempt, locals = {}, isOthers = false, isSeen = false } = outcome;
  if (userErrors.some(({ code }) => code === 'CONCURRENT_UPDATE')) return undefined;
  const hasLocals = Object.values(locals).some((value) => !Array.isArray(value) || value.length > 0);
  const isIncomplete = userErrors.length > 0 || isOthers || isSeen || (selectedFields !== null && hasLocals);
  const ids = attempt === undefined ? {} : { subscriptionBillingAttempt: attempt.id };
  return isIncomplete ? { userErrors, locals, ids } : undefined;
}
