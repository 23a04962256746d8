/** Reads billing attempts and their outcomes. charges.ts creates them. */
import { type GraphQLResolveInfo, type GraphQLSchema, isEnumType } from 'graphql';
import type { AttemptRecord } from '../../../state/contract-records.ts';
import { formatIsoInstant } from '../../../state/instant.ts';
import type { StoreState } from '../../../state/state.ts';
import { behaviourOfStore } from '../../../state/unpublished-behaviour.ts';
import { type AdminContext, type ResolverMap, typeResolvers } from '../../context.ts';
import { formatGid, requireGidNumber } from '../../gid.ts';
import { findVisibleOrder } from '../../list-visible-orders.ts';
import { type ConnectionArgs, createConnection } from '../../lists/connections.ts';
import { createSearchTest, type SearchFields } from '../../lists/search.ts';
import { sortByKey } from '../../lists/sorting.ts';
import { toTransaction } from './orders.ts';

const DOCUMENTED_SEARCH_FIELDS: SearchFields<AttemptRecord> = {
  created_at: { kind: 'instant', of: (attempt) => attempt.createdAt },
  id: { kind: 'number', of: (attempt) => attempt.id },
  error_code: { kind: 'text', of: (attempt) => attempt.errorCode },
};
const KNOWN_SEARCH_FIELDS: SearchFields<AttemptRecord> = {
  ...DOCUMENTED_SEARCH_FIELDS,
  completed_at: { kind: 'instant', of: (attempt) => attempt.completedAt },
};

function findNextActionUrl(attempt: AttemptRecord, { origin }: AdminContext): string | null {
  return attempt.completedAt === null && attempt.isChallenged ? `${origin}/_bank/${attempt.id}` : null;
}

function toAttemptState(attempt: AttemptRecord, context: AdminContext, { schema }: GraphQLResolveInfo) {
  const nextActionUrl = findNextActionUrl(attempt, context);
  if (nextActionUrl !== null) {
    const challenge = {
      __typename: 'SubscriptionBillingAttemptPaymentChallenge',
      nextActionUrl,
      status: attempt.isOpened ? 'ON_SESSION_CHALLENGED' : 'OFF_SESSION_REJECTED',
    };
    return { __typename: 'SubscriptionBillingAttemptActionRequiredState', action: challenge };
  }
  if (attempt.completedAt === null)
    return { __typename: 'SubscriptionBillingAttemptPendingState', processing: true };
  const code = findVisibleCode(attempt, context);
  if (code === null) {
    const order = findVisibleOrder(context, attempt.orderId);
    return { __typename: 'SubscriptionBillingAttemptSuccessState', order };
  }
  return {
    __typename: 'SubscriptionBillingAttemptFailedState',
    error: createAttemptError(schema, { ...attempt, errorCode: code }),
  };
}

/** Codes that API version 2026-10 has added. */
const CODES_OF_LATER_VERSION = [
  'INCORRECT_CVC',
  'INCORRECT_PIN',
  'INVALID_AMOUNT',
  'INVALID_CVC',
  'INVALID_REQUEST',
];

/** Returns the code as the request's API version shows it. */
function findVisibleCode({ errorCode }: AttemptRecord, { store, version }: AdminContext): string | null {
  const isLater = errorCode !== null && CODES_OF_LATER_VERSION.includes(errorCode) && version < '2026-10';
  return isLater && behaviourOfStore(store, 'laterCodes') === 'unexpected' ? 'UNEXPECTED_ERROR' : errorCode;
}

type FailedAttempt = Pick<AttemptRecord, 'shortVariantIds'> & { errorCode: string };

/** Creates the error object of the type whose enum contains the code; other codes are unexpected errors. */
function createAttemptError(schema: GraphQLSchema, { errorCode: code, shortVariantIds }: FailedAttempt) {
  const errorKind = ['General', 'Inventory', 'Payment'].find((kindName) => {
    const errorCodeType = schema.getType(`SubscriptionBillingAttempt${kindName}ErrorCode`);
    return isEnumType(errorCodeType) && errorCodeType.getValue(code) !== undefined;
  });
  const __typename = `SubscriptionBillingAttempt${errorKind ?? 'Unexpected'}Error`;
  if (errorKind === undefined) return { __typename, message: 'An unexpected error occurred.' };
  return { __typename, code, shortVariantIds };
}

/** Returns the error of the deprecated field, whose type names the variants without enough stock. */
function toProcessingError(attempt: AttemptRecord, context: AdminContext) {
  const code = findVisibleCode(attempt, context);
  if (code === null) return null;
  const { shortVariantIds, errorMessage } = attempt;
  const kind = shortVariantIds === undefined ? 'Generic' : 'InsufficientStockProductVariants';
  const __typename = `SubscriptionBillingAttempt${kind}Error`;
  return { __typename, code, message: errorMessage ?? code, shortVariantIds };
}

/** Returns a page of the variants without enough stock, or null when the error names none. */
function resolveShortVariants(
  { shortVariantIds }: Pick<AttemptRecord, 'shortVariantIds'>,
  args: ConnectionArgs,
  { store }: AdminContext,
) {
  if (shortVariantIds === undefined) return null;
  const variants = shortVariantIds.flatMap((id) => store.variants.get(id) ?? []);
  return createConnection(variants, args, ({ id }) => id);
}

/** Lists the attempts in which to search: all, or those since the instant that the query names. */
function listSearchedAttempts(
  query: string | null | undefined,
  { attempts }: StoreState,
): readonly AttemptRecord[] {
  const sinceMs = Date.parse(/^created_at:>=?['"]?([^'"\s]+)['"]?$/.exec(query?.trim() ?? '')?.[1] ?? '');
  return Number.isNaN(sinceMs) ? [...attempts.values()] : attempts.createdSince(formatIsoInstant(sinceMs));
}

export const billingAttemptResolvers: ResolverMap = {
  QueryRoot: {
    subscriptionBillingAttempt: (_parent: unknown, args: { id: string }, { store }) =>
      store.attempts.get(requireGidNumber(args.id, 'SubscriptionBillingAttempt')) ?? null,
    subscriptionBillingAttempts: (
      _parent: unknown,
      args: ConnectionArgs & { query?: string | null; sortKey?: string | null },
      { store },
    ) => {
      const knowsCompletedAt = behaviourOfStore(store, 'completedAtFilter') === 'known';
      const searchFields = knowsCompletedAt ? KNOWN_SEARCH_FIELDS : DOCUMENTED_SEARCH_FIELDS;
      const matchesQuery = createSearchTest(args.query, searchFields, (attempt) => attempt.idempotencyKey);
      const keyOf =
        args.sortKey === 'ID'
          ? (attempt: AttemptRecord) => attempt.id
          : ({ createdAt }: AttemptRecord) => createdAt;
      const foundAttempts = listSearchedAttempts(args.query, store).filter(matchesQuery);
      return createConnection(sortByKey(foundAttempts, keyOf), args, (attempt) => attempt.id);
    },
  },
  SubscriptionBillingAttempt: typeResolvers<AttemptRecord>({
    id: ({ id }) => formatGid('SubscriptionBillingAttempt', id),
    errorCode: (attempt, _args, context) => findVisibleCode(attempt, context),
    nextActionUrl: (attempt, _args, context) => findNextActionUrl(attempt, context),
    order: ({ orderId }, _args, context) => findVisibleOrder(context, orderId),
    paymentGroupId: () => null,
    paymentSessionId: () => null,
    processingError: (attempt, _args, context) => toProcessingError(attempt, context),
    ready: ({ completedAt }) => completedAt !== null,
    state: (attempt, _args, context, info) => toAttemptState(attempt, context, info),
    subscriptionContract: ({ contractId }, _args, { store }) => store.contracts.peek(contractId),
    transactions: ({ orderId }, args: ConnectionArgs, context) => {
      const order = findVisibleOrder(context, orderId);
      const transaction = order === null ? null : toTransaction(order);
      return createConnection(transaction === null ? [] : [transaction], args, ({ id }) => id);
    },
  }),
  SubscriptionBillingAttemptInventoryError: { insufficientStockProductVariants: resolveShortVariants },
  SubscriptionBillingAttemptInsufficientStockProductVariantsError: {
    insufficientStockProductVariants: resolveShortVariants,
  },
};
