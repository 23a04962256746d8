/** Reads a contract's owner and state in one platform request, before it is paused, activated or cancelled. */
import { type ContractFacts, findContractError, requireOwnership } from '../contract-facts.ts';
import { type ContractRef, parseContractRef } from '../contract-ref.ts';
import type { OperationDeps, OperationRequest } from '../operation.ts';
import { createRefusedOutcome, type OperationOutcome } from '../operation-error.ts';
import { readContractState, type StateSelection } from '../read-contract-state.ts';
import { CONTRACT_ID_ARGUMENT } from './change-contract-status.ts';

type StatusChangeState<Contract extends ContractFacts, Roots = unknown> = {
  readonly kind: 'found';
  readonly contract: Contract;
  readonly ref: ContractRef;
  /** The data of the root fields that `reads` selects. */
  readonly rootFieldData: Roots;
};

/**
 * `reads` is selected in addition to `CONTRACT_FACTS_SELECTION`. `acceptedEndStatus` is the status of an ended
 * contract that causes no user error, because the client requested this status.
 */
type StatusReads = { readonly reads: StateSelection; readonly acceptedEndStatus?: string };

/**
 * Returns the contract, or the userErrors INVALID (the contract does not exist) and CONTRACT_TERMINATED.
 * @throws FORBIDDEN when the contract does not exist or is not the acting customer's
 */
export async function readContractForStatusChange<Contract extends ContractFacts, Roots = unknown>(
  deps: OperationDeps,
  { args }: OperationRequest,
  { reads, acceptedEndStatus }: StatusReads,
): Promise<
  StatusChangeState<Contract, Roots> | { readonly kind: 'refused'; readonly outcome: OperationOutcome }
> {
  const contractId = String(args[CONTRACT_ID_ARGUMENT]);
  const { state } = await readContractState(deps, { contractId, reads });
  const contract = state?.contract as Contract | undefined;
  requireOwnership(deps, contract);
  const hasRequestedStatus = contract !== undefined && contract.status === acceptedEndStatus;
  const refusalError = hasRequestedStatus ? undefined : findContractError(contract, CONTRACT_ID_ARGUMENT);
  if (refusalError !== undefined) return { kind: 'refused', outcome: createRefusedOutcome([refusalError]) };
  const ref = parseContractRef(deps.store.shopId, contractId);
  // Neither is undefined here: a missing contract was refused above, and the schema accepts only ids of contracts.
  if (contract === undefined || ref === undefined) throw new Error(`no contract ${contractId}`);
  return { kind: 'found', contract, ref, rootFieldData: state as Roots };
}
