/** Activate, pause, cancel, expire, fail; and the next billing date, which apps keep by hand. */
import type { ContractRecord, ContractStatus } from '../../../state/contract-records.ts';
import type { AdminContext, ResolverMap } from '../../context.ts';
import { numberOf } from '../../gid.ts';
import { userErrorPayload } from '../../user-error.ts';
import { incrementRevision, isTerminated } from './contract-changes.ts';

type StatusArgs = { subscriptionContractId: string };

/** The states from which each state can be reached; repeating the present one is allowed and changes nothing. */
const allowedOriginStatuses: Record<ContractStatus, ContractStatus[]> = {
  ACTIVE: ['ACTIVE', 'PAUSED', 'FAILED'],
  PAUSED: ['ACTIVE', 'PAUSED', 'FAILED'],
  CANCELLED: ['ACTIVE', 'PAUSED', 'FAILED'],
  EXPIRED: ['ACTIVE', 'PAUSED', 'FAILED'],
  FAILED: ['ACTIVE', 'FAILED'],
};

function setStatus(status: ContractStatus) {
  return (_parent: unknown, { subscriptionContractId }: StatusArgs, { store, nowMs }: AdminContext) => {
    const contract = store.contracts.get(numberOf(subscriptionContractId, 'SubscriptionContract'));
    const field = ['subscriptionContractId'];
    if (contract === undefined)
      return userErrorPayload(field, 'Subscription contract does not exist', 'INVALID');
    if (isTerminated(contract)) {
      return userErrorPayload(field, 'Contract cannot be updated once terminated', 'CONTRACT_TERMINATED');
    }
    const from = allowedOriginStatuses[status];
    if (!from.includes(contract.content.status)) {
      return userErrorPayload(
        field,
        `Contract status must be one of ${from.join(', ').toLowerCase()}`,
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

function setNextBillingDate(
  _parent: unknown,
  { contractId, date }: { contractId: string; date: string },
  { store, nowMs }: AdminContext,
) {
  const contract = store.contracts.get(numberOf(contractId, 'SubscriptionContract'));
  if (contract === undefined)
    return userErrorPayload(['contractId'], 'Subscription contract does not exist', 'INVALID');
  if (isTerminated(contract)) {
    return userErrorPayload(['contractId'], 'Contract cannot be updated once terminated', 'INVALID');
  }
  contract.content.nextBillingDate = date;
  incrementRevision(contract, nowMs);
  return { contract };
}

export const contractStatusResolvers: ResolverMap = {
  Mutation: {
    subscriptionContractActivate: setStatus('ACTIVE'),
    subscriptionContractCancel: setStatus('CANCELLED'),
    subscriptionContractExpire: setStatus('EXPIRED'),
    subscriptionContractFail: setStatus('FAILED'),
    subscriptionContractPause: setStatus('PAUSED'),
    subscriptionContractSetNextBillingDate: setNextBillingDate,
  },
};
