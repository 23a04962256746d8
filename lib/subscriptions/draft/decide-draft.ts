/**
 * Decides on a draft operation: reads ownership and state, and plans to open the platform's draft, change it in one
 * document, and commit it. Needs at most four platform requests without retries. If another commit comes in between, the operation
 * restarts from fresh state.
 */
import { checkOwner, refuseContract } from '../contract-facts.ts';
import type { Decision, OperationDeps, OperationRequest, PlannedChange } from '../operation.ts';
import { refusedWith } from '../operation-error.ts';
import { readContract } from '../read-contract.ts';
import { type ContractState, readContractState } from '../read-contract-state.ts';
import type { DraftedChange, DraftOperation, DraftRun } from './draft-operation.ts';
import { concurrentUpdate } from './draft-refusal.ts';
import { makeDraftChange } from './make-draft-change.ts';

const MAX_RESTARTS = 3;

/**
 * Decides on the change. Its outcome is the committed contract in the client's selection, or userErrors. Throws as `Operation` does; a lost
 * response before the commit is PLATFORM_UNAVAILABLE, because nothing has changed.
 */
export function decideDraft<State extends ContractState>(
  deps: OperationDeps,
  request: OperationRequest,
  operation: DraftOperation<State>,
): Promise<Decision> {
  const contractId = String(request.args[operation.contractArgument]);
  return decide({ deps, request, operation, contractId }, 0);
}

async function decide<State extends ContractState>(
  run: DraftRun<State>,
  restarts: number,
): Promise<Decision> {
  const { deps, operation, contractId, request } = run;
  const { state } = await readContractState<State>(deps, { contractId, reads: operation.reads });
  checkOwner(deps, state?.contract);
  const refused = refuseContract(state?.contract, operation.contractArgument);
  if (state === undefined || refused !== undefined)
    return refusedWith(refused === undefined ? [] : [refused]);
  const decision = await operation.decide(state);
  if (decision.kind === 'change')
    return { ...plan(run, state, decision), restart: () => restart(run, restarts) };
  if (decision.kind === 'refused') {
    const { userErrors, locals } = decision;
    // The change was possible before the contract was changed concurrently.
    const conflicts = userErrors.map(({ field, message }) => concurrentUpdate(field, message));
    return refusedWith(restarts > 0 ? conflicts : userErrors, locals);
  }
  const outcome = await readContract(deps, { contractId, selection: request.selection });
  return { ...outcome, ...(decision.locals && { locals: decision.locals }) };
}

async function restart<State extends ContractState>(
  run: DraftRun<State>,
  restarts: number,
): Promise<Decision> {
  return restarts < MAX_RESTARTS
    ? decide(run, restarts + 1)
    : refusedWith([concurrentUpdate([run.operation.contractArgument])]);
}

function plan<State extends ContractState>(
  run: DraftRun<State>,
  state: State,
  drafted: DraftedChange<State>,
): PlannedChange {
  return {
    intent: { ...drafted.intent, contractId: state.contract.id },
    apply: (recordAlso) => makeDraftChange({ ...run, recordAlso }, state, drafted),
  };
}
