/** Changes a contract's status, and its next billing date, which the platform leaves to apps. */
import type { ContractRecord, ContractStatus } from '../../../state/contract-records.ts';
import type { AdminContext, ResolverMap } from '../../context.ts';
import { requireGidNumber } from '../../gid.ts';
import { createUserErrorPayload } from '../../user-error.ts';
import { incrementRevision, isTerminated } from './contract-changes.ts';

type StatusArgs = { subscriptionContractId: string };

/**
 * The statuses before which each status can be set. Setting the current status again is allowed and changes nothing.
 */
const ALLOWED_PREVIOUS_STATUSES: Record<ContractStatus, ContractStatus[]> = {
  ACTIVE: ['ACTIVE', 'PAUSED', 'FAILED'],
  PAUSED: ['ACTIVE', 'PAUSED', 'FAILED'],
  CANCELLED: ['ACTIVE', 'PAUSED', 'FAILED'],
  EXPIRED: ['ACTIVE', 'PAUSED', 'FAILED'],
  FAILED: ['ACTIVE', 'FAILED'],
};

function createStatusResolver(status: ContractStatus) {
  return (_parent: unknown, { subscriptionContractId }: StatusArgs, { store, nowMs }: AdminContext) => {
    const contract = store.contracts.get(requireGidNumber(subscriptionContractId, 'SubscriptionContract'));
    const fieldPath = ['subscriptionContractId'];
    if (contract === undefined)
      return createUserErrorPayload(fieldPath, 'Subscription contract does not exist', 'INVALID');
    if (isTerminated(contract)) {
      return createUserErrorPayload(
        fieldPath,
        'Contract cannot be updated once terminated',
        'CONTRACT_TERMINATED',
      );
    }
    const previousStatuses = ALLOWED_PREVIOUS_STATUSES[status];
    if (!previousStatuses.includes(contract.content.status)) {
      return createUserErrorPayload(
        fieldPath,
        `Contract status must be one of ${previousStatuses.join(', ').toLowerCase()}`,
        'INVALID',
      );
    }
    changeStatus(contract, status, nowMs);
    return { contract };
  };
}

function changeStatus(contract: ContractRecord, status: ContractStatus, nowMs: number): void {
  if (contract.content.status === status) return;
  contract.content.status = status;
  incrementRevision(contract, nowMs);
}

function resolveSetNextBillingDate(
  _parent: unknown,
  { contractId, date }: { contractId: string; date: string },
  { store, nowMs }: AdminContext,
) {
  const contract = store.contracts.get(requireGidNumber(contractId, 'SubscriptionContract'));
  if (contract === undefined)
    return createUserErrorPayload(['contractId'], 'Subscription contract does not exist', 'INVALID');
  if (isTerminated(contract)) {
    return createUserErrorPayload(['contractId'], 'Contract cannot be updated once terminated', 'INVALID');
  }
  contract.content.nextBillingDate = date;
  incrementRevision(contract, nowMs);
  return { contract };
}

export const contractStatusResolvers: ResolverMap = {
  Mutation: {
    subscriptionContractActivate: createStatusResolver('ACTIVE'),
    subscriptionContractCancel: createStatusResolver('CANCELLED'),
    subscriptionContractExpire: createStatusResolver('EXPIRED'),
    subscriptionContractFail: createStatusResolver('FAILED'),
    subscriptionContractPause: createStatusResolver('PAUSED'),
    subscriptionContractSetNextBillingDate: resolveSetNextBillingDate,
  },
};
