/** The answer to a commit was lost: a read tells whether it is in force, and answers the client from the same request. */
import { ServiceError } from '../../errors/service-error.ts';
import { readDraftState } from '../read-contract-state.ts';
import type { DraftOutcome, DraftPlan, DraftState } from './draft-operation.ts';
import type { DraftRun } from './make-draft-change.ts';

type Lost<State> = {
  readonly before: State;
  readonly plan: DraftPlan<State>;
  readonly lost: ServiceError;
};

/**
 * The contract in the client's selection, if it shows the change. Otherwise throws `lost`: a commit that is not to be
 * seen may still be on its way.
 */
export async function settleLostCommit<State extends DraftState>(
  { deps, spec, contractId, request }: DraftRun<State>,
  { before, plan, lost }: Lost<State>,
): Promise<DraftOutcome> {
  const { selection } = request;
  const { state, data, errors } = await readDraftState<State>(deps, {
    contractId,
    reads: spec.reads,
    answer: selection,
  }).catch((error: unknown) => {
    throw error instanceof ServiceError ? lost : error;
  });
  const isChanged = state !== undefined && state.contract.revisionId !== before.contract.revisionId;
  if (!isChanged || !plan.isDone(state)) throw lost;
  const answered = Object.fromEntries(selection.places.map(({ key }) => [key, data[key] ?? null]));
  return { answered, userErrors: [], errors, isSeen: true };
}
