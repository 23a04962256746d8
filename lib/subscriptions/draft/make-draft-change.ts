/** One try of a draft operation, inside its intent: open, change, commit, and what follows the commit. */
import { ServiceError } from '../../errors/service-error.ts';
import type { OperationDeps, OperationRequest } from '../operation.ts';
import { refusedWith } from '../operation-error.ts';
import {
  type Commit,
  changeDraft,
  commitDraft,
  type DraftRefusal,
  openDraft,
  type StepRefusal,
} from './change-draft.ts';
import { settleLostCommit } from './commit-draft.ts';
import type { DraftOutcome, DraftPlan, DraftSpec, DraftState, Prepared } from './draft-operation.ts';
import { refuseDraft } from './refuse-draft.ts';

export type DraftRun<State extends DraftState> = {
  readonly deps: OperationDeps;
  readonly request: OperationRequest;
  readonly spec: DraftSpec<State>;
  /** As the platform names it. */
  readonly contractId: string;
};

/** The outcome, or `stale` if another commit came first. OUTCOME_UNKNOWN: it may be committed. */
export async function makeDraftChange<State extends DraftState>(
  run: DraftRun<State>,
  state: State,
  plan: DraftPlan<State>,
): Promise<DraftOutcome | 'stale'> {
  const { deps, contractId } = run;
  const { args } = run.request;
  const { revisionId } = state.contract;
  const draft = await openDraft(deps, { contractId, revisionId, args, opening: plan.opening });
  if (draft.kind !== 'opened') return refused(run, draft);
  const prepared: Prepared | Extract<StepRefusal, { kind: 'refused' }> =
    typeof plan.changes === 'function'
      ? await plan.changes(draft)
      : { kind: 'prepared', changes: plan.changes };
  if (prepared.kind === 'refused') return stopped(prepared);
  const made = await changeDraft(deps, { draft, changes: prepared.changes });
  if (made.kind !== 'changed') return stopped(made);
  const commit = await commitOrSettle(run, { draftId: draft.id, before: state, plan });
  if (commit.kind !== 'committed') return refused(run, commit);
  const locals = { ...plan.locals, ...prepared.locals };
  const changed = plan.changedBy?.(made.payloads) ?? prepared.changed;
  return finish(plan, { ...commit.outcome, locals, ...(changed && { changed }) });
}

async function refused<State extends DraftState>(
  { deps, spec, contractId }: DraftRun<State>,
  refusal: DraftRefusal,
): Promise<DraftOutcome | 'stale'> {
  if (refusal.kind === 'stale') return 'stale';
  const { contractArgument } = spec;
  const { userErrors } = refusal;
  return refusedWith(await refuseDraft(deps, { contractId, contractArgument, userErrors }));
}

function stopped(refusal: StepRefusal & Pick<DraftOutcome, 'locals'>): DraftOutcome | 'stale' {
  return refusal.kind === 'stale' ? 'stale' : refusedWith(refusal.userErrors, refusal.locals);
}

type Committing<State> = {
  readonly draftId: string;
  readonly before: State;
  readonly plan: DraftPlan<State>;
};

async function commitOrSettle<State extends DraftState>(
  run: DraftRun<State>,
  { draftId, before, plan }: Committing<State>,
): Promise<Commit> {
  try {
    return await commitDraft(run.deps, { draftId, request: run.request });
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'OUTCOME_UNKNOWN') throw error;
    return { kind: 'committed', outcome: await settleLostCommit(run, { before, plan, lost: error }) };
  }
}

/** After the commit nothing may be taken for "not done" any more: the scheduled work finishes what breaks off. */
async function finish<State>(
  { afterCommit }: DraftPlan<State>,
  outcome: DraftOutcome,
): Promise<DraftOutcome> {
  if (afterCommit === undefined) return outcome;
  try {
    return await afterCommit(outcome);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw new ServiceError('OUTCOME_UNKNOWN', {
      internal: `after the commit: ${error.message}`,
      cause: error,
    });
  }
}
