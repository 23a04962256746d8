/** Billing attempts: reading them and their outcome. Making them is charges.ts. */
import { type GraphQLResolveInfo, type GraphQLSchema, isEnumType } from 'graphql';
import type { AttemptRecord } from '../../../state/contract-records.ts';
import { type AdminContext, fieldsOf, type ResolverMap } from '../../context.ts';
import { gid, numberOf } from '../../gid.ts';
import { type ConnectionArgs, connectionOf } from '../../lists/connections.ts';
import { type SearchFields, searchTest } from '../../lists/search.ts';
import { sortedBy } from '../../lists/sorting.ts';
import { visibleOrder } from '../../visible-orders.ts';
import { transactionOf } from './orders.ts';

const searchFields: SearchFields<AttemptRecord> = {
  created_at: { kind: 'instant', of: (attempt) => attempt.createdAt },
  completed_at: { kind: 'instant', of: (attempt) => attempt.completedAt },
  id: { kind: 'number', of: (attempt) => attempt.id },
  error_code: { kind: 'text', of: (attempt) => attempt.errorCode },
};

function attemptStateOf(attempt: AttemptRecord, context: AdminContext, { schema }: GraphQLResolveInfo) {
  if (attempt.completedAt === null && attempt.isChallenged) {
    const action = {
      __typename: 'SubscriptionBillingAttemptPaymentChallenge',
      nextActionUrl: `${context.origin}/_bank/${attempt.id}`,
      status: 'OFF_SESSION_REJECTED',
    };
    return { __typename: 'SubscriptionBillingAttemptActionRequiredState', action };
  }
  if (attempt.completedAt === null)
    return { __typename: 'SubscriptionBillingAttemptPendingState', processing: true };
  if (attempt.errorCode === null) {
    const order = visibleOrder(context, attempt.orderId);
    return { __typename: 'SubscriptionBillingAttemptSuccessState', order };
  }
  return {
    __typename: 'SubscriptionBillingAttemptFailedState',
    error: createAttemptError(schema, attempt.errorCode),
  };
}

/** Each kind of error has an enum of its codes; a code of none is unexpected. */
function createAttemptError(schema: GraphQLSchema, code: string) {
  const kind = ['General', 'Inventory', 'Payment'].find((one) => {
    const codes = schema.getType(`SubscriptionBillingAttempt${one}ErrorCode`);
    return isEnumType(codes) && codes.getValue(code) !== undefined;
  });
  const __typename = `SubscriptionBillingAttempt${kind ?? 'Unexpected'}Error`;
  if (kind === undefined) return { __typename, message: 'An unexpected error occurred.' };
  return { __typename, code, ...(kind === 'Inventory' && { insufficientStockProductVariants: null }) };
}

export const billingAttemptResolvers: ResolverMap = {
  QueryRoot: {
    subscriptionBillingAttempt: (_parent: unknown, args: { id: string }, { store }) =>
      store.attempts.get(numberOf(args.id, 'SubscriptionBillingAttempt')) ?? null,
    subscriptionBillingAttempts: (
      _parent: unknown,
      args: ConnectionArgs & { query?: string | null; sortKey?: string | null },
      { store },
    ) => {
      const test = searchTest(args.query, searchFields, (attempt) => attempt.idempotencyKey);
      const key =
        args.sortKey === 'ID'
          ? (attempt: AttemptRecord) => attempt.id
          : ({ createdAt }: AttemptRecord) => createdAt;
      return connectionOf(sortedBy(store.attempts.values(), key).filter(test), args, (attempt) => attempt.id);
    },
  },
  SubscriptionBillingAttempt: fieldsOf<AttemptRecord>({
    id: ({ id }) => gid('SubscriptionBillingAttempt', id),
    nextActionUrl: () => null,
    order: ({ orderId }, _args, context) => visibleOrder(context, orderId),
    paymentGroupId: () => null,
    paymentSessionId: () => null,
    processingError: ({ errorCode, errorMessage }) =>
      errorCode === null
        ? null
        : {
            __typename: 'SubscriptionBillingAttemptGenericError',
            code: errorCode,
            message: errorMessage ?? errorCode,
          },
    ready: ({ completedAt }) => completedAt !== null,
    state: (attempt, _args, context, info) => attemptStateOf(attempt, context, info),
    subscriptionContract: ({ contractId }, _args, { store }) => store.contracts.get(contractId),
    transactions: ({ orderId }, args: ConnectionArgs, context) => {
      const order = visibleOrder(context, orderId);
      const transaction = order === null ? null : transactionOf(order);
      return connectionOf(transaction === null ? [] : [transaction], args, ({ id }) => id);
    },
  }),
};
