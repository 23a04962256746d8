/**
 * Reads contracts, and lists them with filters. contract-status.ts changes their status, and drafts change the rest.
 */
import { orderGroupOfContract } from '../../../state/add-order.ts';
import type { ContractRecord } from '../../../state/contract-records.ts';
import { type AdminContext, type ResolverMap, typeResolvers } from '../../context.ts';
import { formatGid, requireGidNumber } from '../../gid.ts';
import { findVisibleOrder, listVisibleOrders } from '../../list-visible-orders.ts';
import { type ConnectionArgs, createConnection } from '../../lists/connections.ts';
import { createSearchTest, type SearchFields } from '../../lists/search.ts';
import { sortByKey } from '../../lists/sorting.ts';
import { createContractBaseResolvers } from './contract-content.ts';

const CONTRACT_SEARCH_FIELDS: SearchFields<ContractRecord> = {
  created_at: { kind: 'instant', of: (contract) => contract.createdAt },
  updated_at: { kind: 'instant', of: (contract) => contract.updatedAt },
  customer_id: { kind: 'number', of: (contract) => contract.content.customerId },
  id: { kind: 'number', of: (contract) => contract.id },
  status: { kind: 'text', of: (contract) => contract.content.status },
  last_billing_attempt_error_type: { kind: 'text', of: (contract) => contract.lastBillingAttemptErrorType },
  product_id: { kind: 'number', of: (contract) => contract.content.lines.map((line) => line.productId ?? 0) },
  product_variant_id: {
    kind: 'number',
    of: (contract) => contract.content.lines.map((line) => line.variantId ?? 0),
  },
};

const CONTRACT_SORT_KEYS: Record<string, (contract: ContractRecord) => string | number> = {
  CREATED_AT: (contract) => contract.createdAt,
  UPDATED_AT: (contract) => contract.updatedAt,
  STATUS: (contract) => contract.content.status,
  ID: (contract) => contract.id,
};

type ContractListArgs = ConnectionArgs & { query?: string | null; sortKey?: string | null };

function resolveContracts(_parent: unknown, args: ContractListArgs, { store }: AdminContext) {
  const matchesQuery = createSearchTest(args.query, CONTRACT_SEARCH_FIELDS, (contract) =>
    String(contract.id),
  );
  const foundContracts = [...store.contracts.values()].filter(matchesQuery);
  const keyOf = CONTRACT_SORT_KEYS[args.sortKey ?? 'CREATED_AT'] ?? ((contract) => contract.id);
  return createConnection(sortByKey(foundContracts, keyOf), args, (contract) => contract.id);
}

/** Returns a page of the contracts that pass the test, oldest first. */
export function createContractsPage(
  { store }: AdminContext,
  args: ConnectionArgs,
  test: (contract: ContractRecord) => boolean,
) {
  const foundContracts = sortByKey([...store.contracts.values()].filter(test), (contract) => contract.id);
  return createConnection(foundContracts, args, (contract) => contract.id);
}

export const contractResolvers: ResolverMap = {
  QueryRoot: {
    subscriptionContract: (_parent: unknown, args: { id: string }, { store }) =>
      store.contracts.peek(requireGidNumber(args.id, 'SubscriptionContract')) ?? null,
    subscriptionContracts: resolveContracts,
  },
  SubscriptionContract: {
    ...createContractBaseResolvers<ContractRecord>((contract) => contract.content),
    ...typeResolvers<ContractRecord>({
      id: ({ id }) => formatGid('SubscriptionContract', id),
      billingAttempts: ({ id }, args: ConnectionArgs, { store }) => {
        const attempts = sortByKey(store.attempts.ofContract(id), (attempt) => attempt.id);
        return createConnection(attempts, args, (attempt) => attempt.id);
      },
      billingPolicy: ({ content }) => content.billingPolicy,
      deliveryPolicy: ({ content }) => content.deliveryPolicy,
      nextBillingDate: ({ content }) => content.nextBillingDate,
      orders: ({ id }, args: ConnectionArgs, context) => {
        const orders = sortByKey(listVisibleOrders(context, orderGroupOfContract(id)), (order) => order.id);
        return createConnection(orders, args, (order) => order.id);
      },
      originOrder: ({ originOrderId }, _args, context) => findVisibleOrder(context, originOrderId),
      status: ({ content }) => content.status,
    }),
  },
};
