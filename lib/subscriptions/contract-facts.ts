/** The facts of a contract that every operation needs: that it exists, who owns it, and whether it has ended. */

import { parseCustomerGid } from '../domain/gid.ts';
import { ServiceError } from '../errors/service-error.ts';
import { message } from '../messages/message.ts';
import { isAbsence, type PlatformError } from '../platform/admin-api/admin-answer.ts';
import { unanswered } from '../platform/admin-api/missing-access.ts';
import type { OperationDeps } from './operation.ts';
import { type OperationError, refuse } from './operation-error.ts';

/** The root field that reads the contract `$_svcContractId`. */
export const CONTRACT_ROOT = 'subscriptionContract(id: $_svcContractId)';
/** The selection of `ContractFacts`. */
export const CONTRACT_FACTS = 'id status revisionId customer { id }';

export type ContractFacts = {
  readonly id: string;
  readonly status: string;
  /** Changes with every change of the contract. */
  readonly revisionId: string;
  readonly customer: { readonly id: string } | null;
};

/** A failed contract has not ended: it can continue with another card. */
const TERMINATED: ReadonlySet<string> = new Set(['CANCELLED', 'EXPIRED']);

type Owned = { readonly customer: { readonly id: string } | null } | null | undefined;

/**
 * Checks that the object belongs to the acting customer, if there is one.
 * @throws FORBIDDEN when it belongs to another customer or does not exist; a customer cannot distinguish the two
 */
export function checkOwner(
  {
    actingCustomerId,
    platformGidNamespace,
  }: Pick<OperationDeps, 'actingCustomerId' | 'platformGidNamespace'>,
  owned: Owned,
): void {
  if (actingCustomerId === undefined) return;
  const owner = owned?.customer?.id;
  const isOwn = owner !== undefined && parseCustomerGid(owner, platformGidNamespace) === actingCustomerId;
  if (!isOwn) throw new ServiceError('FORBIDDEN');
}

/**
 * Returns why this contract cannot be changed at all. `argument`: the client's argument that names it.
 * @returns undefined when it can be changed
 */
export function refuseContract(
  contract: ContractFacts | undefined,
  argument: string,
): OperationError | undefined {
  const field = [argument];
  if (contract === undefined) {
    return refuse('INVALID', { field, message: message('contractUnknown') });
  }
  if (!TERMINATED.has(contract.status)) return undefined;
  return refuse('CONTRACT_TERMINATED', { field, message: message('contractEnded') });
}

/**
 * Ignores errors that mean an absent object.
 * @throws PLATFORM_UNAVAILABLE for any other error, because the state is then unknown
 */
export function checkErrors(errors: readonly PlatformError[]): void {
  const unclear = errors.filter((error) => !isAbsence(error));
  if (unclear.length > 0) throw unanswered('state', unclear);
}
