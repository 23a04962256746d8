/**
 * Runs one attempt of a draft operation within its intent: opens the draft, changes it, commits it, and runs the work
 * after the commit.
 */
import { isOutcomeUnknown } from '../../errors/is-outcome-unknown.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { OpenChange } from '../../timeline/run-change.ts';
import type { AppliedOutcome } from '../operation.ts';
import { refusedWith } from '../operation-error.ts';
import { type ContractState, readContractState } from '../read-contract-state.ts';
import { answeredAt, placesOf, sendChange, USER_ERRORS } from '../send-change.ts';
import { changeDraft, openDraft } from './change-draft.ts';
import { checkGoods } from './check-goods.ts';
import type { DraftedChange, DraftRun, OpenedDraft, Prepared, Refusal } from './draft-operation.ts';
import { type ChangeRefusal, type DraftRefusal, isStale } from './draft-refusal.ts';
import { refuseDraft } from './refuse-draft.ts';

/**
 * Returns the outcome, or `stale` if another commit was first.
 * @throws OUTCOME_UNKNOWN when the change may have been committed
 */
export async function makeDraftChange<State extends ContractState>(
  run: DraftRun<State> & Pick<OpenChange, 'recordAlso'>,
  state: State,
  change: DraftedChange<State>,
): Promise<AppliedOutcome | 'stale'> {
  const { deps, contractId, request } = run;
  const { revisionId } = state.contract;
  const { args } = request;
  const draft = await openDraft(deps, { contractId, revisionId, args, opening: change.opening });
  if (draft.kind !== 'opened') return refused(run, draft);
  const prepared: Prepared | Extract<ChangeRefusal, { kind: 'refused' }> =
    typeof change.mutations === 'function'
      ? await change.mutations(draft)
      : { kind: 'prepared', mutations: change.mutations };
  if (prepared.kind === 'refused') return stopped(prepared);
  const reading = change.followUp && change.opening;
  const made = await changeDraft(deps, { draft, mutations: prepared.mutations, reading });
  if (made.kind !== 'changed') return stopped(made);
  const drafted = { draft, made, mutations: prepared.mutations, discounts: change.discounts };
  const freeGoods = await checkGoods(run, state, drafted);
  if (freeGoods !== undefined) return stopped(freeGoods);
  const refusal = await makeFollowUp(run, made, await change.followUp?.(made));
  if (refusal !== undefined) return stopped(refusal);
  const commit = await commitOrFind(run, { draftId: draft.id, before: state, change });
  if (commit.kind !== 'committed') return refused(run, commit);
  const locals = { ...change.locals, ...prepared.locals };
  const changed = change.changedBy?.(made.payloads) ?? prepared.changed;
  return finish(change, run, { ...commit.outcome, locals, ...(changed && { changed }) });
}

/**
 * Makes the follow-up mutations and adds their facts to the intent, because the commit is the next step.
 * @returns undefined when they were made
 */
async function makeFollowUp<State extends ContractState>(
  { deps, recordAlso }: DraftRun<State> & Pick<OpenChange, 'recordAlso'>,
  draft: OpenedDraft,
  following: Prepared | Refusal | undefined,
): Promise<ChangeRefusal | Refusal | undefined> {
  if (following === undefined || following.kind === 'refused') return following;
  const { mutations, changed = [] } = following;
  if (mutations.length > 0) {
    const made = await changeDraft(deps, { draft, mutations });
    if (made.kind !== 'changed') return made;
  }
  if (changed.length > 0) await recordAlso(changed);
  return undefined;
}

async function refused<State extends ContractState>(
  { deps, operation, contractId, request: { args } }: DraftRun<State>,
  refusal: DraftRefusal,
): Promise<AppliedOutcome | 'stale'> {
  if (refusal.kind === 'stale') return 'stale';
  const { contractArgument } = operation;
  const { userErrors } = refusal;
  return refusedWith(await refuseDraft(deps, { contractId, contractArgument, userErrors, args }));
}

function stopped(refusal: ChangeRefusal | Refusal): AppliedOutcome | 'stale' {
  if (refusal.kind === 'stale') return 'stale';
  return refusedWith(refusal.userErrors, 'locals' in refusal ? refusal.locals : undefined);
}

type Commit = DraftRefusal | { readonly kind: 'committed'; readonly outcome: AppliedOutcome };
type Committing<State> = {
  readonly draftId: string;
  readonly before: State;
  readonly change: DraftedChange<State>;
};

/** Commits the draft. If the response is lost, reads the contract to find out whether the commit took effect. */
async function commitOrFind<State extends ContractState>(
  run: DraftRun<State>,
  committing: Committing<State>,
): Promise<Commit> {
  try {
    return await commitDraft(run, committing.draftId);
  } catch (error) {
    if (!isOutcomeUnknown(error)) throw error;
    return { kind: 'committed', outcome: await findCommitted(run, committing, error) };
  }
}

/**
 * Commits the draft and reads the client's selection in the same request.
 * @throws OUTCOME_UNKNOWN when the response is lost
 */
async function commitDraft<State extends ContractState>(
  { deps, request: { selection } }: DraftRun<State>,
  draftId: string,
): Promise<Commit> {
  const { answered, userErrors, errors } = await sendChange(deps, {
    selection,
    own: ['$_svcDraftId: ID!'],
    name: 'commit',
    mutation: 'subscriptionDraftCommit(draftId: $_svcDraftId)',
    payload: `${placesOf(selection, 'contract')} ${USER_ERRORS}`,
    variables: { _svcDraftId: draftId },
  });
  if (isStale(userErrors)) return { kind: 'stale' };
  if (userErrors.length > 0) return { kind: 'refused', userErrors };
  return { kind: 'committed', outcome: { answered, userErrors: [], errors } };
}

/**
 * Returns the contract in the client's selection if it shows the change.
 * @throws `lost` if it does not: the commit may still take effect later
 */
async function findCommitted<State extends ContractState>(
  { deps, operation, contractId, request: { selection } }: DraftRun<State>,
  { before, change }: Committing<State>,
  lost: ServiceError,
): Promise<AppliedOutcome> {
  const { state, data, errors } = await readContractState<State>(deps, {
    contractId,
    reads: operation.reads,
    answer: selection,
  }).catch((error: unknown) => {
    throw error instanceof ServiceError ? lost : error;
  });
  const isChanged = state !== undefined && state.contract.revisionId !== before.contract.revisionId;
  if (!isChanged || !change.isDone(state)) throw lost;
  return { answered: answeredAt(selection, data), userErrors: [], errors, isSeen: true };
}

/**
 * Runs the work after the commit. Converts its errors to OUTCOME_UNKNOWN, because the commit took effect; the scheduled
 * work finishes what was interrupted.
 */
async function finish<State>(
  { afterCommit }: DraftedChange<State>,
  { recordAlso }: Pick<OpenChange, 'recordAlso'>,
  outcome: AppliedOutcome,
): Promise<AppliedOutcome> {
  if (afterCommit === undefined) return outcome;
  try {
    return await afterCommit(outcome, recordAlso);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw new ServiceError('OUTCOME_UNKNOWN', {
      internal: `after the commit: ${error.message}`,
      cause: error,
    });
  }
}
