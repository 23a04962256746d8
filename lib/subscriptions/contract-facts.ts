/** Every operation has to know of a contract that it is there, whose it is, and that it has not ended. */

import { parseCustomerGid } from '../domain/gid.ts';
import { ServiceError } from '../errors/service-error.ts';
import { message } from '../messages/message.ts';
import { isAbsence, type PlatformError } from '../platform/admin-api/admin-answer.ts';
import { unanswered } from '../platform/admin-api/missing-access.ts';
import type { OperationDeps } from './operation.ts';
import { type OperationError, refuse } from './operation-error.ts';

/** The root that brings the contract `$_svcContractId`. */
export const CONTRACT_ROOT = 'subscriptionContract(id: $_svcContractId)';
/** The selection that brings the facts. */
export const CONTRACT_FACTS = 'id status revisionId customer { id }';

export type ContractFacts = {
  readonly id: string;
  readonly status: string;
  /** Changes with every change of the contract. */
  readonly revisionId: string;
  readonly customer: { readonly id: string } | null;
};

/** A failed contract has not ended: with another card it can go on. */
const TERMINATED: ReadonlySet<string> = new Set(['CANCELLED', 'EXPIRED']);

type Owned = { readonly customer: { readonly id: string } | null } | null | undefined;

/**
 * FORBIDDEN if a customer is acting and the object is not this customer's. To a customer an absent object is the same.
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

/** Why this contract cannot be changed at all; undefined: it can. `argument` is the client's that names it. */
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
 * An absent object may be an error at the platform. PLATFORM_UNAVAILABLE: any other error leaves open what there is.
 */
export function checkErrors(errors: readonly PlatformError[]): void {
  const unclear = errors.filter((error) => !isAbsence(error));
  if (unclear.length > 0) throw unanswered('state', unclear);
}
