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
  const { attempt, changedFacts: changes } = outcome;
  const changeEffect = classifyOutcome(outcome);
  return { result: outcome, effect: changeEffect, changes, attempt, retryResponse: toRetryResponse(outcome) };
}

function classifyOutcome({
  selectedFields,
  isMadeByOtherRequest = false,
  isConfirmedByRead = false,
  isUnfinished = false,
}: AppliedOutcome): ApplyChangeResult<unknown>['effect'] {
  if (selectedFields === null) return 'refused';
  if (isMadeByOtherRequest) return 'unchanged';
  if (isUnfinished) return 'unknown';
  return isConfirmedByRead ? 'seen' : 'done';
}

/**
 * Returns what the response to a retry with the same idempotency key needs in addition to the timeline entry: user
 * errors, the change of another request, a change that a read showed, and fields that the service computes itself. A
 * CONCURRENT_UPDATE is not stored, because a retry should try the change again.
 * @returns undefined when the timeline entry is enough
 */
function toRetryResponse(outcome: AppliedOutcome): ApplyChangeResult<unknown>['retryResponse'] {
  const {
    selectedFields,
    userErrors,
    attempt,
    locals = {},
    isMadeByOtherRequest = false,
    isConfirmedByRead = false,
  } = outcome;
  if (userErrors.some(({ code }) => code === 'CONCURRENT_UPDATE')) return undefined;
  const hasLocals = Object.values(locals).some((value) => !Array.isArray(value) || value.length > 0);
  const isIncomplete =
    userErrors.length > 0 ||
    isMadeByOtherRequest ||
    isConfirmedByRead ||
    (selectedFields !== null && hasLocals);
  const ids = attempt === undefined ? {} : { subscriptionBillingAttempt: attempt.id };
  return isIncomplete ? { userErrors, locals, ids } : undefined;
}
