/**
 * Applies a change to a draft: opens the draft, changes it, and checks the result. The draft is then committed, or a preview
 * is read from it. Nothing takes effect before the commit.
 */
import type { RecordFurtherFacts } from '../../timeline/run-change.ts';
import type { AppliedOutcome } from '../operation.ts';
import { createRefusedOutcome } from '../operation-error.ts';
import type { ContractState } from '../read-contract-state.ts';
import { type ChangedDraft, changeDraft, openDraft } from './change-draft.ts';
import { checkForFreeGoods } from './check-for-free-goods.ts';
import { describeDraftErrors } from './describe-draft-errors.ts';
import type {
  DraftedChange,
  DraftOperationRefusal,
  DraftRun,
  DraftSelection,
  OpenedDraft,
  PreparedDraft,
} from './draft-operation.ts';
import type { DraftChangeRefusal, DraftRefusal } from './draft-refusal.ts';

type DraftApplication<State> = {
  readonly change: DraftedChange<State>;
  readonly recordAlso: RecordFurtherFacts;
  /** The selection to read of the draft after its last mutation. */
  readonly reading?: DraftSelection | undefined;
};

type AppliedDraft =
  | {
      readonly kind: 'applied';
      readonly draft: OpenedDraft;
      readonly prepared: PreparedDraft;
      /** The payloads of the prepared mutations. Those of the follow-up mutations are not needed. */
      readonly payloads: ChangedDraft['payloads'];
      /** The draft after its last mutation. */
      readonly last: OpenedDraft;
    }
  /** Refused, or `stale` if another commit was first. */
  | { readonly kind: 'ended'; readonly outcome: AppliedOutcome | 'stale' };

/** Applies the change. Sends two platform requests, and those of the change itself and of the checks. */
export async function applyToDraft<State extends ContractState>(
  run: DraftRun<State>,
  state: State,
  { change, recordAlso, reading }: DraftApplication<State>,
): Promise<AppliedDraft> {
  const { deps, contractId, request } = run;
  const { revisionId } = state.contract;
  const openedDraft = await openDraft(deps, {
    contractId,
    revisionId,
    args: request.args,
    opening: change.opening,
  });
  if (openedDraft.kind !== 'opened') return toEndedDraft(await toPlatformRefusalOutcome(run, openedDraft));
  const preparedDraft: PreparedDraft | DraftOperationRefusal =
    typeof change.mutations === 'function'
      ? await change.mutations(openedDraft)
      : { kind: 'prepared', mutations: change.mutations };
  if (preparedDraft.kind === 'refused') return toEndedDraft(toChangeRefusalOutcome(preparedDraft));
  const { mutations } = preparedDraft;
  const draftSelection = joinDraftSelections(change.followUp && change.opening, reading);
  const changedDraft = await changeDraft(deps, { draft: openedDraft, mutations, reading: draftSelection });
  if (changedDraft.kind !== 'changed') return toEndedDraft(toChangeRefusalOutcome(changedDraft));
  const freeGoods = await checkForFreeGoods(run, state, {
    draft: openedDraft,
    changedDraft,
    mutations,
    discounts: change.discounts,
  });
  if (freeGoods !== undefined) return toEndedDraft(toChangeRefusalOutcome(freeGoods));
  const finalDraft = await applyFollowUp(
    run,
    { changedDraft, recordAlso, reading },
    await change.followUp?.(changedDraft),
  );
  if (finalDraft.kind !== 'changed') return toEndedDraft(toChangeRefusalOutcome(finalDraft));
  return {
    kind: 'applied',
    draft: openedDraft,
    prepared: preparedDraft,
    payloads: changedDraft.payloads,
    last: finalDraft,
  };
}

type FollowUpRequest = Pick<DraftApplication<unknown>, 'recordAlso' | 'reading'> & {
  readonly changedDraft: ChangedDraft;
};

/** Makes the follow-up mutations and adds their facts to the intent, because the commit is the next step. */
async function applyFollowUp<State extends ContractState>(
  { deps }: DraftRun<State>,
  { changedDraft, recordAlso, reading }: FollowUpRequest,
  following: PreparedDraft | DraftOperationRefusal | undefined,
): Promise<ChangedDraft | DraftChangeRefusal | DraftOperationRefusal> {
  if (following === undefined) return changedDraft;
  if (following.kind === 'refused') return following;
  const { mutations, changed = [] } = following;
  const last =
    mutations.length > 0
      ? await changeDraft(deps, { draft: changedDraft, mutations, reading })
      : changedDraft;
  if (last.kind === 'changed' && changed.length > 0) await recordAlso(changed);
  return last;
}

/**
 * Returns the outcome of a draft that the platform did not open or commit: the user errors, in the fields of the client's
 * arguments, or `stale` when another commit was first.
 */
export async function toPlatformRefusalOutcome<State extends ContractState>(
  { deps, operation, contractId, request: { args } }: DraftRun<State>,
  refusal: DraftRefusal,
): Promise<AppliedOutcome | 'stale'> {
  if (refusal.kind === 'stale') return 'stale';
  const { contractArgument } = operation;
  const { userErrors } = refusal;
  return createRefusedOutcome(
    await describeDraftErrors(deps, { contractId, contractArgument, userErrors, args }),
  );
}

function toChangeRefusalOutcome(
  refusal: DraftChangeRefusal | DraftOperationRefusal,
): AppliedOutcome | 'stale' {
  if (refusal.kind === 'stale') return 'stale';
  return createRefusedOutcome(refusal.userErrors, 'locals' in refusal ? refusal.locals : undefined);
}

function toEndedDraft(outcome: AppliedOutcome | 'stale'): AppliedDraft {
  return { kind: 'ended', outcome };
}

function joinDraftSelections(
  one: DraftSelection | undefined,
  other: DraftSelection | undefined,
): DraftSelection | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return {
    selection: `${one.selection} ${other.selection}`,
    declarations: [...one.declarations, ...other.declarations],
    variables: { ...one.variables, ...other.variables },
  };
}
