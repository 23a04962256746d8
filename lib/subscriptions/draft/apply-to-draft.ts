/**
 * Applies a change to a draft: opens the draft, changes it, and checks the result. Afterwards the draft is committed,
 * or a preview is read from it. Nothing takes effect before the commit.
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
  PreparedMutations,
} from './draft-operation.ts';
import type { DraftChangeRefusal, DraftRefusal } from './draft-refusal.ts';

type DraftApplication<State> = {
  readonly change: DraftedChange<State>;
  readonly recordAlso: RecordFurtherFacts;
  /** The selection to read of the draft after its last mutation. */
  readonly finalSelection?: DraftSelection | undefined;
};

type AppliedDraft =
  | {
      readonly kind: 'applied';
      readonly openedDraft: OpenedDraft;
      readonly preparedMutations: PreparedMutations;
      /** The payloads of the prepared mutations. Those of the follow-up mutations are not needed. */
      readonly payloads: ChangedDraft['payloads'];
      /** The draft after its last mutation. */
      readonly finalDraft: OpenedDraft;
    }
  /** The change was refused, or is `stale` because another commit changed the contract first. */
  | { readonly kind: 'ended'; readonly outcome: AppliedOutcome | 'stale' };

/**
 * Opens a draft, applies the change to it, and checks the result. Sends two platform requests, and those that the
 * change and the checks need in addition.
 */
export async function applyToDraft<State extends ContractState>(
  run: DraftRun<State>,
  state: State,
  { change, recordAlso, finalSelection }: DraftApplication<State>,
): Promise<AppliedDraft> {
  const { deps, contractId, request } = run;
  const { revisionId } = state.contract;
  const openedDraft = await openDraft(deps, {
    contractId,
    revisionId,
    args: request.args,
    openingSelection: change.openingSelection,
  });
  if (openedDraft.kind !== 'opened') return toEndedDraft(await toPlatformRefusalOutcome(run, openedDraft));
  const preparedMutations: PreparedMutations | DraftOperationRefusal =
    typeof change.mutations === 'function'
      ? await change.mutations(openedDraft)
      : { kind: 'prepared', mutations: change.mutations };
  if (preparedMutations.kind === 'refused') return toEndedDraft(toChangeRefusalOutcome(preparedMutations));
  const { mutations } = preparedMutations;
  const draftSelection = joinDraftSelections(change.followUp && change.openingSelection, finalSelection);
  const changedDraft = await changeDraft(deps, {
    draft: openedDraft,
    mutations,
    finalSelection: draftSelection,
  });
  if (changedDraft.kind !== 'changed') return toEndedDraft(toChangeRefusalOutcome(changedDraft));
  const freeGoodsRefusal = await checkForFreeGoods(run, state, {
    draft: openedDraft,
    changedDraft,
    mutations,
    discounts: change.discounts,
  });
  if (freeGoodsRefusal !== undefined) return toEndedDraft(toChangeRefusalOutcome(freeGoodsRefusal));
  const finalDraft = await applyFollowUp(
    run,
    { changedDraft, recordAlso, finalSelection },
    await change.followUp?.(changedDraft),
  );
  if (finalDraft.kind !== 'changed') return toEndedDraft(toChangeRefusalOutcome(finalDraft));
  return {
    kind: 'applied',
    openedDraft,
    preparedMutations,
    payloads: changedDraft.payloads,
    finalDraft,
  };
}

type FollowUpRequest = Pick<DraftApplication<unknown>, 'recordAlso' | 'finalSelection'> & {
  readonly changedDraft: ChangedDraft;
};

/**
 * Makes the follow-up mutations in the draft, and adds their facts to the intent: after a crash, the intent must show
 * what the commit could have changed.
 */
async function applyFollowUp<State extends ContractState>(
  { deps }: DraftRun<State>,
  { changedDraft, recordAlso, finalSelection }: FollowUpRequest,
  followUp: PreparedMutations | DraftOperationRefusal | undefined,
): Promise<ChangedDraft | DraftChangeRefusal | DraftOperationRefusal> {
  if (followUp === undefined) return changedDraft;
  if (followUp.kind === 'refused') return followUp;
  const { mutations, changedFacts = [] } = followUp;
  const changedFinalDraft =
    mutations.length > 0
      ? await changeDraft(deps, { draft: changedDraft, mutations, finalSelection })
      : changedDraft;
  if (changedFinalDraft.kind === 'changed' && changedFacts.length > 0) await recordAlso(changedFacts);
  return changedFinalDraft;
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
  first: DraftSelection | undefined,
  second: DraftSelection | undefined,
): DraftSelection | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  return {
    selection: `${first.selection} ${second.selection}`,
    declarations: [...first.declarations, ...second.declarations],
    variables: { ...first.variables, ...second.variables },
  };
}
