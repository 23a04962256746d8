/**
 * Pausing, activating and cancelling begin with one request for proof and state, which tells whether there is anything
 * to change.
 */
import { type ContractFacts, checkOwner, refuseContract } from '../contract-facts.ts';
import { type ContractRef, contractRef } from '../contract-ref.ts';
import type { OperationDeps, OperationRequest } from '../operation.ts';
import { type OperationOutcome, refusedWith } from '../operation-error.ts';
import { readContractState, type StateSelection } from '../read-contract-state.ts';
import { CONTRACT_ARGUMENT } from './change-status.ts';

type StatusState<Contract extends ContractFacts, Roots = unknown> = {
  readonly kind: 'found';
  readonly contract: Contract;
  readonly ref: ContractRef;
  /** What the roots brought. */
  readonly roots: Roots;
};

/**
 * `reads`: what is read of the contract beside its facts. `end`: the end that is no refusal, because it is what is
 * asked for.
 */
type StatusReads = { readonly reads: StateSelection; readonly end?: string };

/**
 * The contract, or why nothing can be changed: FORBIDDEN (thrown), or userErrors INVALID (absent) and
 * CONTRACT_TERMINATED.
 */
export async function readStatus<Contract extends ContractFacts, Roots = unknown>(
  deps: OperationDeps,
  { args }: OperationRequest,
  { reads, end }: StatusReads,
): Promise<StatusState<Contract, Roots> | { readonly kind: 'refused'; readonly outcome: OperationOutcome }> {
  const contractId = String(args[CONTRACT_ARGUMENT]);
  const { state } = await readContractState(deps, { contractId, reads });
  const contract = state?.contract as Contract | undefined;
  checkOwner(deps, contract);
  const isAskedFor = contract !== undefined && contract.status === end;
  const refusal = isAskedFor ? undefined : refuseContract(contract, CONTRACT_ARGUMENT);
  if (refusal !== undefined) return { kind: 'refused', outcome: refusedWith([refusal]) };
  const ref = contractRef(deps.store.shopId, contractId);
  // The argument was checked to be a contract's id long before.
  if (contract === undefined || ref === undefined) throw new Error(`no contract ${contractId}`);
  return { kind: 'found', contract, ref, roots: state as Roots };
}
