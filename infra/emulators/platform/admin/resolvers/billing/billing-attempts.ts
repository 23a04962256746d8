/** Billing attempts: reading them and their outcome. Making them is charges.ts. */
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

/** Codes of the failed state that say something about stock, not about the payment. */
const inventoryCodes = ['INSUFFICIENT_INVENTORY', 'INVENTORY_ALLOCATIONS_NOT_FOUND'];
const generalCodes = [
  'CUSTOMER_INVALID',
  'CUSTOMER_NOT_FOUND',
  'PAYMENT_METHOD_NOT_FOUND',
  'PAYMENT_METHOD_NOT_SPECIFIED',
];

const CHALLENGE_ACTION = {
  __typename: 'SubscriptionBillingAttemptPaymentChallenge',
  nextActionUrl: 'https://payments.example/confirm',
  status: 'OFF_SESSION_REJECTED',
};

function stateOf(attempt: AttemptRecord, context: AdminContext) {
  if (attempt.completedAt === null && attempt.isChallenged) {
    return { __typename: 'SubscriptionBillingAttemptActionRequiredState', action: CHALLENGE_ACTION };
  }
  if (attempt.completedAt === null)
    return { __typename: 'SubscriptionBillingAttemptPendingState', processing: true };
  if (attempt.errorCode === null) {
    const order = visibleOrder(context, attempt.orderId);
    return { __typename: 'SubscriptionBillingAttemptSuccessState', order };
  }
  return { __typename: 'SubscriptionBillingAttemptFailedState', error: errorOf(attempt.errorCode) };
}

function errorOf(code: string) {
  if (inventoryCodes.includes(code)) {
    return {
      __typename: 'SubscriptionBillingAttemptInventoryError',
      code,
      insufficientStockProductVariants: null,
    };
  }
  if (generalCodes.includes(code)) return { __typename: 'SubscriptionBillingAttemptGeneralError', code };
  return { __typename: 'SubscriptionBillingAttemptPaymentError', code };
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
    state: (attempt, _args, context) => stateOf(attempt, context),
    subscriptionContract: ({ contractId }, _args, { store }) => store.contracts.get(contractId),
    transactions: ({ orderId }, args: ConnectionArgs, context) => {
      const order = visibleOrder(context, orderId);
      const transaction = order === null ? null : transactionOf(order);
      return connectionOf(transaction === null ? [] : [transaction], args, ({ id }) => id);
    },
  }),
};
