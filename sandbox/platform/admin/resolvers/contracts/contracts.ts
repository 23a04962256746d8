/** Contracts: reading one, listing them with filters. Changing their status is contract-status.ts, else drafts. */
import type { ContractRecord } from '../../../state/contract-records.ts';
import { type AdminContext, fieldsOf, type ResolverMap } from '../../context.ts';
import { gid, numberOf } from '../../gid.ts';
import { type ConnectionArgs, connectionOf } from '../../lists/connections.ts';
import { type SearchFields, searchTest } from '../../lists/search.ts';
import { sortedBy } from '../../lists/sorting.ts';
import { visibleOrder, visibleOrders } from '../../visible-orders.ts';
import { contractBaseFields } from './contract-content.ts';

const searchFields: SearchFields<ContractRecord> = {
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

const sortKeys: Record<string, (contract: ContractRecord) => string | number> = {
  CREATED_AT: (contract) => contract.createdAt,
  UPDATED_AT: (contract) => contract.updatedAt,
  STATUS: (contract) => contract.content.status,
  ID: (contract) => contract.id,
};

type ListArgs = ConnectionArgs & { query?: string | null; sortKey?: string | null };

function contracts(_parent: unknown, args: ListArgs, { store }: AdminContext) {
  const test = searchTest(args.query, searchFields, (contract) => String(contract.id));
  const found = sortedBy(
    store.contracts.values(),
    sortKeys[args.sortKey ?? 'CREATED_AT'] ?? ((contract) => contract.id),
  );
  return connectionOf(found.filter(test), args, (contract) => contract.id);
}

/** A page of some contracts, oldest first. */
export function contractsPage(
  { store }: AdminContext,
  args: ConnectionArgs,
  test: (contract: ContractRecord) => boolean,
) {
  const found = sortedBy(store.contracts.values(), (contract) => contract.id).filter(test);
  return connectionOf(found, args, (contract) => contract.id);
}

export const contractResolvers: ResolverMap = {
  QueryRoot: {
    subscriptionContract: (_parent: unknown, args: { id: string }, { store }) =>
      store.contracts.get(numberOf(args.id, 'SubscriptionContract')) ?? null,
    subscriptionContracts: contracts,
  },
  SubscriptionContract: {
    ...contractBaseFields<ContractRecord>((contract) => contract.content),
    ...fieldsOf<ContractRecord>({
      id: ({ id }) => gid('SubscriptionContract', id),
      billingAttempts: ({ id }, args: ConnectionArgs, { store }) => {
        const attempts = sortedBy(store.attempts.values(), (attempt) => attempt.id);
        return connectionOf(
          attempts.filter((attempt) => attempt.contractId === id),
          args,
          (attempt) => attempt.id,
        );
      },
      billingPolicy: ({ content }) => content.billingPolicy,
      deliveryPolicy: ({ content }) => content.deliveryPolicy,
      nextBillingDate: ({ content }) => content.nextBillingDate,
      orders: ({ id }, args: ConnectionArgs, context) => {
        const orders = sortedBy(visibleOrders(context), (order) => order.id);
        return connectionOf(
          orders.filter((order) => order.contractId === id),
          args,
          (order) => order.id,
        );
      },
      originOrder: ({ originOrderId }, _args, context) => visibleOrder(context, originOrderId),
      status: ({ content }) => content.status,
    }),
  },
};
