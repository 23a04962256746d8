/** Ends a contract whose last order is paid. Dates and orders do not end by themselves at `maxCycles`. */
import { createFact } from '../../timeline/facts.ts';
import type { ContractFacts } from '../contract-facts.ts';
import {
  buildPaidOrdersReads,
  countPaidOrders,
  ORIGIN_ORDER_SELECTION,
  type PaidOrdersState,
} from '../count-paid-orders.ts';
import type { Operation } from '../operation.ts';
import { readContract } from '../read-contract.ts';
import { changeContractStatus } from './change-contract-status.ts';
import { readContractForStatusChange } from './read-status.ts';

type ContractToExpire = ContractFacts & {
  readonly billingPolicy: { readonly maxCycles: number | null };
  readonly originOrder: PaidOrdersState['originOrder'];
};

/**
 * Returns the contract, which is expired if its orders have reached `maxCycles`, or userErrors: CONTRACT_TERMINATED and
 * INVALID. Sends two platform requests.
 */
export const expireContract: Operation = async (deps, request) => {
  const contractRead = await readContractForStatusChange<
    ContractToExpire,
    { readonly _svcCycles: PaidOrdersState['cycles'] }
  >(deps, request, {
    reads: {
      contractSelection: `billingPolicy { maxCycles } ${ORIGIN_ORDER_SELECTION}`,
      ...buildPaidOrdersReads(deps.now()),
    },
    acceptedEndStatus: 'EXPIRED',
  });
  if (contractRead.kind === 'refused') return contractRead.outcome;
  const { id: contractId, status, billingPolicy, originOrder } = contractRead.contract;
  const paidCount = countPaidOrders({ originOrder, cycles: contractRead.rootFieldData._svcCycles });
  if (status === 'EXPIRED' || billingPolicy.maxCycles === null || paidCount < billingPolicy.maxCycles)
    return readContract(deps, { contractId, selection: request.selection });
  const statusFacts = [createFact('status', { before: status, after: 'EXPIRED' })];
  return {
    intent: { action: 'subscription_expired', contractId, details: {}, changes: statusFacts },
    apply: () => changeContractStatus(deps, request, { contractId, targetStatus: 'EXPIRED' }),
  };
};
