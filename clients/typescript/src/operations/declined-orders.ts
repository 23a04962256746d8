/** A declined order as a job sees it: each attempt with its outcome, and what was changed since the last one. */
import { type AttemptOutcome, toAttemptOutcome } from './attempt-outcome.ts';
import type * as documents from './generated/store-operations.ts';

type DeclinedCycle = documents.DeclinedOrdersResult['subscriptionBillingCycleBulkResults']['nodes'][number];

/** One attempt to charge an order. */
export type OrderAttempt = AttemptOutcome & {
  /** The global id, for `orders.attempt`. */
  readonly id: string;
  /** The key under which the order was charged: `attemptKey` of `orders.charge`. */
  readonly idempotencyKey: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601; null while the attempt is open. */
  readonly completedAt: string | null;
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

export function toOrderAttempts({ billingAttempts, sourceContract }: DeclinedCycle): OrderAttempts {
  const attempts = billingAttempts.nodes.map(({ state, ...attempt }) => ({
    ...attempt,
    ...toAttemptOutcome(state),
  }));
  const lastAttemptAtMs = Date.parse(attempts[attempts.length - 1]?.createdAt ?? '');
  const changesSinceLastAttempt = sourceContract.changes.nodes.flatMap((event) =>
    'changes' in event && Date.parse(event.createdAt) > lastAttemptAtMs ? event.changes : [],
  );
  // A removal, such as that of a payment method, gives no reason to try again.
  const changesExceptRemovals = changesSinceLastAttempt.filter(
    ({ before, after }) => after !== null || before === null,
  );
  return {
    customerId: sourceContract.customer?.id ?? null,
    paymentMethodId: sourceContract.customerPaymentMethod?.id ?? null,
    attempts,
    changedFields: [...new Set(changesExceptRemovals.map(({ field }) => field))],
  };
}
