/** The fields of a contract that every operation needs: its id, its customer, its status and its revision. */

import { parseCustomerGid } from '../domain/gid.ts';
import { ServiceError } from '../errors/service-error.ts';
import { message } from '../messages/message.ts';
import { isNotFoundError, type PlatformError } from '../platform/admin-api/admin-response.ts';
import { failedReadError } from '../platform/admin-api/missing-access.ts';
import type { OperationDeps } from './operation.ts';
import { createUserError, type OperationError } from './operation-error.ts';

/** The root field that reads the contract `$_svcContractId`. */
export const CONTRACT_ROOT_FIELD = 'subscriptionContract(id: $_svcContractId)';
/** The selection that `ContractFacts` describes. */
export const CONTRACT_FACTS_SELECTION = 'id status revisionId customer { id }';

export type ContractFacts = {
  readonly id: string;
  readonly status: string;
  /** The platform changes this id with every change of the contract. */
  readonly revisionId: string;
  readonly customer: { readonly id: string } | null;
};

/** Whether the contract has ended. A FAILED contract has not: it can continue with another payment method. */
export function isContractTerminated({ status }: Pick<ContractFacts, 'status'>): boolean {
  return status === 'CANCELLED' || status === 'EXPIRED';
}

type CustomerOwnedObject = { readonly customer: { readonly id: string } | null } | null | undefined;

/**
 * Checks that the object belongs to the acting customer. Does nothing when the request acts for no customer.
 * @throws FORBIDDEN when the object does not exist or belongs to another customer; the customer cannot distinguish the
 * two
 */
export function requireOwnership(
  {
    actingCustomerId,
    platformGidNamespace,
  }: Pick<OperationDeps, 'actingCustomerId' | 'platformGidNamespace'>,
  owned: CustomerOwnedObject,
): void {
  if (actingCustomerId === undefined) return;
  const owner = owned?.customer?.id;
  const isOwner = owner !== undefined && parseCustomerGid(owner, platformGidNamespace) === actingCustomerId;
  if (!isOwner) throw new ServiceError('FORBIDDEN');
}

/**
 * Returns the user error for a contract that does not exist or has ended. `argument` is the name of the client's
 * argument with the contract's id.
 * @returns undefined when the contract can be changed
 */
export function findContractError(
  contract: ContractFacts | undefined,
  argument: string,
): OperationError | undefined {
  const fieldPath = [argument];
  if (contract === undefined) {
    return createUserError('INVALID', { field: fieldPath, message: message('contractUnknown') });
  }
  if (!isContractTerminated(contract)) return undefined;
  return createUserError('CONTRACT_TERMINATED', { field: fieldPath, message: message('contractEnded') });
}

/**
 * Throws if one of the errors is not "not found".
 * @throws PLATFORM_UNAVAILABLE because the state of the contract is then unknown
 */
export function throwUnlessNotFound(errors: readonly PlatformError[]): void {
  const otherErrors = errors.filter((error) => !isNotFoundError(error));
  if (otherErrors.length > 0) throw failedReadError('state', otherErrors);
}
