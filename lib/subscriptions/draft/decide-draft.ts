/**
 * Runs a change of a contract by a draft: reads ownership and state, opens the draft, changes it in one document, and
 * commits it. Sends at most four platform requests if none is retried. If the contract changes concurrently, the
 * operation restarts with the new state, at most three times.
 */
import { findContractError, requireOwnership } from '../contract-facts.ts';
import type { OperationDecision, OperationDeps, OperationRequest, PlannedChange } from '../operation.ts';
import { createRefusedOutcome } from '../operation-error.ts';
import { readContract } from '../read-contract.ts';
import { type ContractState, readContractState } from '../read-contract-state.ts';
import { applyAndCommitDraft } from './apply-and-commit-draft.ts';
import type { DraftedChange, DraftOperation, DraftRun } from './draft-operation.ts';
import { concurrentUpdateError } from './draft-refusal.ts';
import { isDryRun, previewChange, previewUnchangedContract } from './preview-change.ts';

const MAX_DRAFT_RESTARTS = 3;

/**
 * Decides on the change of a draft operation. The outcome has the committed contract in the client's selection, or
 * userErrors. Throws the errors of `Operation`, but PLATFORM_UNAVAILABLE for a response that is lost before the
 * commit, because nothing has changed then.
 */
export function decideDraft<State extends ContractState>(
  deps: OperationDeps,
  request: OperationRequest,
  operation: DraftOperation<State>,
): Promise<OperationDecision> {
  const contractId = String(request.args[operation.contractArgument]);
  return tryDecideDraft({ deps, request, operation, contractId }, 0);
}

async function tryDecideDraft<State extends ContractState>(
  run: DraftRun<State>,
  restartCount: number,
): Promise<OperationDecision> {
  const { deps, operation, contractId, request } = run;
  const { state } = await readContractState<State>(deps, { contractId, reads: operation.reads });
  requireOwnership(deps, state?.contract);
  const contractError = findContractError(state?.contract, operation.contractArgument);
  if (state === undefined || contractError !== undefined)
    return createRefusedOutcome(contractError === undefined ? [] : [contractError]);
  const draftDecision = await operation.decide(state);
  if (draftDecision.kind === 'change') {
    if (!isDryRun(request))
      return {
        ...planDraftChange(run, state, draftDecision),
        restart: () => restartDraftDecision(run, restartCount),
      };
    const previewOutcome = await previewChange(run, state, draftDecision);
    return previewOutcome === 'stale' ? restartDraftDecision(run, restartCount) : previewOutcome;
  }
  if (draftDecision.kind === 'refused') {
    const { userErrors, locals } = draftDecision;
    // After a restart, this refusal was caused by a concurrent change: the state before it allowed the change. So
    // report a conflict.
    const conflicts = userErrors.map(({ field, message }) => concurrentUpdateError(field, message));
    return createRefusedOutcome(restartCount > 0 ? conflicts : userErrors, locals);
  }
  if (isDryRun(request)) return previewUnchangedContract(run, draftDecision.locals);
  const operationOutcome = await readContract(deps, { contractId, selection: request.selection });
  return { ...operationOutcome, ...(draftDecision.locals && { locals: draftDecision.locals }) };
}

async function restartDraftDecision<State extends ContractState>(
  run: DraftRun<State>,
  restartCount: number,
): Promise<OperationDecision> {
  return restartCount < MAX_DRAFT_RESTARTS
    ? tryDecideDraft(run, restartCount + 1)
    : createRefusedOutcome([concurrentUpdateError([run.operation.contractArgument])]);
}

function planDraftChange<State extends ContractState>(
  run: DraftRun<State>,
  state: State,
  draftedChange: DraftedChange<State>,
): PlannedChange {
  return {
    intent: { ...draftedChange.intent, contractId: state.contract.id },
    apply: (recordAlso) => applyAndCommitDraft({ ...run, recordAlso }, state, draftedChange),
  };
}
