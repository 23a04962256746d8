/**
 * Makes the change of a draft operation once: opens and changes a draft, commits it, and runs the work that follows
 * the commit. The intent is open meanwhile.
 */
import { isOutcomeUnknown, runAfterChangeStarted } from '../../errors/is-outcome-unknown.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { OpenChange } from '../../timeline/run-change.ts';
import type { AppliedOutcome } from '../operation.ts';
import { type ContractState, readContractState } from '../read-contract-state.ts';
import {
  selectedObjectsOf,
  sendChange,
  USER_ERRORS_SELECTION,
  writeFieldSelections,
} from '../send-change.ts';
import { applyToDraft, toPlatformRefusalOutcome } from './apply-to-draft.ts';
import type { DraftedChange, DraftRun } from './draft-operation.ts';
import { type DraftRefusal, isStaleDraft } from './draft-refusal.ts';

/**
 * Returns the outcome, or `stale` when another commit changed the contract after its state was read.
 * @throws OUTCOME_UNKNOWN when the change may have been committed
 */
export async function applyAndCommitDraft<State extends ContractState>(
  run: DraftRun<State> & Pick<OpenChange, 'recordAlso'>,
  state: State,
  change: DraftedChange<State>,
): Promise<AppliedOutcome | 'stale'> {
  const appliedDraft = await applyToDraft(run, state, { change, recordAlso: run.recordAlso });
  if (appliedDraft.kind === 'ended') return appliedDraft.outcome;
  const { openedDraft, payloads, preparedMutations } = appliedDraft;
  const commitResult = await commitDraftOrConfirm(run, {
    draftId: openedDraft.id,
    stateBefore: state,
    change,
  });
  if (commitResult.kind !== 'committed') return toPlatformRefusalOutcome(run, commitResult);
  const payloadLocals = { ...change.locals, ...preparedMutations.locals };
  const changedFacts = change.factsOfPayloads?.(payloads) ?? preparedMutations.changedFacts;
  return finishAfterCommit(change, run, {
    ...commitResult.outcome,
    locals: payloadLocals,
    ...(changedFacts && { changedFacts }),
  });
}

type DraftCommitResult = DraftRefusal | { readonly kind: 'committed'; readonly outcome: AppliedOutcome };
type DraftToCommit<State> = {
  readonly draftId: string;
  readonly stateBefore: State;
  readonly change: DraftedChange<State>;
};

/** Commits the draft. If the response is lost, reads the contract to find out whether the commit took effect. */
async function commitDraftOrConfirm<State extends ContractState>(
  run: DraftRun<State>,
  draftToCommit: DraftToCommit<State>,
): Promise<DraftCommitResult> {
  try {
    return await commitDraft(run, draftToCommit.draftId);
  } catch (error) {
    if (!isOutcomeUnknown(error)) throw error;
    return { kind: 'committed', outcome: await requireCommittedChange(run, draftToCommit, error) };
  }
}

/**
 * Commits the draft and reads the client's selection in the same request.
 * @throws OUTCOME_UNKNOWN when the response is lost
 */
async function commitDraft<State extends ContractState>(
  { deps, request: { selection } }: DraftRun<State>,
  draftId: string,
): Promise<DraftCommitResult> {
  const { selectedFields, userErrors, errors } = await sendChange(deps, {
    selection,
    operationDeclarations: ['$_svcDraftId: ID!'],
    mutationAlias: 'commit',
    mutationCall: 'subscriptionDraftCommit(draftId: $_svcDraftId)',
    payloadSelection: `${writeFieldSelections(selection, 'contract')} ${USER_ERRORS_SELECTION}`,
    variables: { _svcDraftId: draftId },
  });
  if (isStaleDraft(userErrors)) return { kind: 'stale' };
  if (userErrors.length > 0) return { kind: 'refused', userErrors };
  return { kind: 'committed', outcome: { selectedFields, userErrors: [], errors } };
}

/**
 * Reads the contract after a lost response to the commit, and returns it in the client's selection if it shows the
 * change.
 * @throws `commitError` when the contract does not show the change: the commit may still take effect later
 */
async function requireCommittedChange<State extends ContractState>(
  { deps, operation, contractId, request: { selection } }: DraftRun<State>,
  { stateBefore, change }: DraftToCommit<State>,
  commitError: ServiceError,
): Promise<AppliedOutcome> {
  const { state, data, errors } = await readContractState<State>(deps, {
    contractId,
    reads: operation.reads,
    selection,
  }).catch((error: unknown) => {
    throw error instanceof ServiceError ? commitError : error;
  });
  const isContractRevised =
    state !== undefined && state.contract.revisionId !== stateBefore.contract.revisionId;
  if (!isContractRevised || !change.showsChange(state)) throw commitError;
  return {
    selectedFields: selectedObjectsOf(selection, data),
    userErrors: [],
    errors,
    isConfirmedByRead: true,
  };
}

/**
 * Runs the work that follows the commit. Converts errors to OUTCOME_UNKNOWN, because the commit has taken effect. The
 * scheduled work finishes what was interrupted.
 */
async function finishAfterCommit<State>(
  { afterCommit }: DraftedChange<State>,
  { recordAlso }: Pick<OpenChange, 'recordAlso'>,
  outcome: AppliedOutcome,
): Promise<AppliedOutcome> {
  if (afterCommit === undefined) return outcome;
  return runAfterChangeStarted('after the commit', () => afterCommit(outcome, recordAlso));
}
