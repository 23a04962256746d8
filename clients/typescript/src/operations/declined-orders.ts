/** A declined order as a job sees it: each attempt with its outcome, and what was changed since the last one. */
import type * as documents from './generated/store-operations.ts';

type DeclinedCycle = documents.DeclinedOrdersResult['subscriptionBillingCycleBulkResults']['nodes'][number];

/** One attempt to charge an order. */
export type OrderAttempt = {
  readonly id: string;
  readonly idempotencyKey: string;
  /** ISO 8601; `completedAt` is null while the attempt is open. */
  readonly createdAt: string;
  readonly completedAt: string | null;
  readonly outcome: 'PENDING' | 'ACTION_REQUIRED' | 'DECLINED' | 'PAID';
  /** The platform's code of a declined attempt; UNEXPECTED_ERROR if the platform returns no code. */
  readonly errorCode: string | null;
  /** The page on which the customer confirms the payment (3-D Secure); only for this customer. */
  readonly nextActionUrl: string | null;
};

export type OrderAttempts = {
  /** Null if the store does not share customers, or the method was deleted. */
  readonly customerId: string | null;
  readonly paymentMethodId: string | null;
  /** The last ten attempts, oldest first. */
  readonly attempts: readonly OrderAttempt[];
  /** Fields of the subscription that were changed since the last attempt, as in `SubscriptionEvent.changes`. */
  readonly changedFields: readonly string[];
};

export function orderAttempts({ billingAttempts, sourceContract }: DeclinedCycle): OrderAttempts {
  const attempts = billingAttempts.nodes.map(toAttempt);
  const lastMs = Date.parse(attempts[attempts.length - 1]?.createdAt ?? '');
  const changes = sourceContract.changes.nodes.flatMap((event) =>
    'changes' in event && Date.parse(event.createdAt) > lastMs ? event.changes : [],
  );
  // A removal, such as that of a payment method, gives no reason to try again.
  const fields = changes.filter(({ before, after }) => after !== null || before === null);
  return {
    customerId: sourceContract.customer?.id ?? null,
    paymentMethodId: sourceContract.customerPaymentMethod?.id ?? null,
    attempts,
    changedFields: [...new Set(fields.map(({ field }) => field))],
  };
}

function toAttempt({ state, ...attempt }: documents.BillingAttempt): OrderAttempt {
  const open = { ...attempt, outcome: 'PENDING', errorCode: null, nextActionUrl: null } as const;
  switch (state.__typename) {
    case 'SubscriptionBillingAttemptSuccessState':
      return { ...open, outcome: 'PAID' };
    case 'SubscriptionBillingAttemptActionRequiredState':
      return { ...open, outcome: 'ACTION_REQUIRED', nextActionUrl: state.action.nextActionUrl };
    case 'SubscriptionBillingAttemptFailedState':
      return { ...open, outcome: 'DECLINED', errorCode: toErrorCode(state.error) };
    default:
      return open;
  }
}

type AttemptError = Extract<documents.BillingAttempt['state'], { readonly error: unknown }>['error'];

function toErrorCode(error: AttemptError): string {
  if ('code' in error) return error.code;
  if ('inventoryCode' in error) return error.inventoryCode;
  return 'generalCode' in error ? error.generalCode : 'UNEXPECTED_ERROR';
}
