/** What every operation has to know of a contract before it may change it: that it is there, whose, and not ended. */
import { parseCustomerGid } from '../domain/gid.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { OperationDeps } from './operation.ts';
import type { OperationError } from './operation-error.ts';

/** The selection that brings the facts. */
export const CONTRACT_FACTS = 'id status revisionId customer { id }';

export type ContractFacts = {
  readonly id: string;
  readonly status: string;
  /** Another one after every change of the contract. */
  readonly revisionId: string;
  readonly customer: { readonly id: string } | null;
};

/** A failed contract is none of them: with another card it can go on. */
const TERMINATED: ReadonlySet<string> = new Set(['CANCELLED', 'EXPIRED']);

type Owned = { readonly customer: { readonly id: string } | null } | null | undefined;

/** FORBIDDEN if a customer is acting and the object is not this customer's; absent is the same to a customer. */
export function checkOwner({ actingCustomerId, platformGidNamespace }: OperationDeps, owned: Owned): void {
  if (actingCustomerId === undefined) return;
  const owner = owned?.customer?.id;
  const isOwn = owner !== undefined && parseCustomerGid(owner, platformGidNamespace) === actingCustomerId;
  if (!isOwn) throw new ServiceError('FORBIDDEN');
}

/** Why this contract cannot be changed at all; undefined: it can. `argument` is the client's that names it. */
export function refuseContract(
  contract: ContractFacts | undefined,
  argument: string,
): OperationError | undefined {
  if (contract === undefined) {
    return { field: [argument], message: 'There is no such subscription contract.', code: 'INVALID' };
  }
  if (!TERMINATED.has(contract.status)) return undefined;
  return { field: [argument], message: 'The subscription contract has ended.', code: 'CONTRACT_TERMINATED' };
}
