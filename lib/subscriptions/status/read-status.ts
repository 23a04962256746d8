/**
 * Reads ownership and state in one request, before a contract is paused, activated or cancelled. The state shows
 * whether anything has to change.
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
  /** The results of the root fields. */
  readonly roots: Roots;
};

/**
 * `reads`: the selection in addition to the contract's facts. `end`: the ended status that is no error, because the
 * client requested it.
 */
type StatusReads = { readonly reads: StateSelection; readonly end?: string };

/**
 * Returns the contract, or userErrors INVALID (no such contract) and CONTRACT_TERMINATED.
 * @throws FORBIDDEN
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
  const isRequested = contract !== undefined && contract.status === end;
  const refusal = isRequested ? undefined : refuseContract(contract, CONTRACT_ARGUMENT);
  if (refusal !== undefined) return { kind: 'refused', outcome: refusedWith([refusal]) };
  const ref = contractRef(deps.store.shopId, contractId);
  // The argument was already validated as a contract's id.
  if (contract === undefined || ref === undefined) throw new Error(`no contract ${contractId}`);
  return { kind: 'found', contract, ref, roots: state as Roots };
}
