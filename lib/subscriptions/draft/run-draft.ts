/**
 * Runs a draft operation: reads ownership and state, opens the platform's draft, changes it in one document, and
 * commits it. Needs at most four platform requests without retries. If another commit comes in between, the operation
 * restarts from fresh state.
 */
import { checkOwner, refuseContract } from '../contract-facts.ts';
import type { OperationDeps, OperationRequest } from '../operation.ts';
import { type OperationOutcome, refusedWith } from '../operation-error.ts';
import { readContract } from '../read-contract.ts';
import { type ContractState, readContractState } from '../read-contract-state.ts';
import { recordedChange } from '../recorded-change.ts';
import type { DraftedChange, DraftOperation, DraftRun } from './draft-operation.ts';
import { concurrentUpdate } from './draft-refusal.ts';
import { makeDraftChange } from './make-draft-change.ts';

const MAX_RESTARTS = 3;

/**
 * Returns the committed contract in the client's selection, or userErrors. Throws as `Operation` does; a lost
 * response before the commit is PLATFORM_UNAVAILABLE, because nothing has changed.
 */
export async function runDraft<State extends ContractState>(
  deps: OperationDeps,
  request: OperationRequest,
  operation: DraftOperation<State>,
): Promise<OperationOutcome> {
  const contractId = String(request.args[operation.contractArgument]);
  const run = { deps, request, operation, contractId };
  for (let restarts = 0; restarts <= MAX_RESTARTS; restarts++) {
    const outcome = await attempt(run, restarts > 0);
    if (outcome !== 'stale') return outcome;
  }
  return refusedWith([concurrentUpdate([operation.contractArgument])]);
}

async function attempt<State extends ContractState>(
  run: DraftRun<State>,
  isAgain: boolean,
): Promise<OperationOutcome | 'stale'> {
  const { deps, operation, contractId, request } = run;
  const { state } = await readContractState<State>(deps, { contractId, reads: operation.reads });
  checkOwner(deps, state?.contract);
  const refused = refuseContract(state?.contract, operation.contractArgument);
  if (state === undefined || refused !== undefined)
    return refusedWith(refused === undefined ? [] : [refused]);
  const decision = await operation.decide(state);
  if (decision.kind === 'change') return change(run, state, decision);
  if (decision.kind === 'refused') {
    const { userErrors, locals } = decision;
    // The change was possible before the contract was changed concurrently.
    const conflicts = userErrors.map(({ field, message }) => concurrentUpdate(field, message));
    return refusedWith(isAgain ? conflicts : userErrors, locals);
  }
  const outcome = await readContract(deps, { contractId, selection: request.selection });
  return { ...outcome, ...(decision.locals && { locals: decision.locals }) };
}

async function change<State extends ContractState>(
  run: DraftRun<State>,
  state: State,
  drafted: DraftedChange<State>,
): Promise<OperationOutcome | 'stale'> {
  let isStale = false;
  const intent = { ...drafted.intent, contractId: state.contract.id };
  const outcome = await recordedChange(run.deps, intent, async ({ recordAlso }) => {
    const made = await makeDraftChange({ ...run, recordAlso }, state, drafted);
    isStale = made === 'stale';
    return made === 'stale' ? refusedWith([]) : made;
  });
  return isStale ? 'stale' : outcome;
}
