/** The last attempt to charge a subscription: whether it was declined and why, or what it waits for. */
import { type AttemptOutcome, toAttemptOutcome } from './attempt-outcome.ts';
import {
  LastPaymentDocument,
  type LastPaymentResult,
  type LastPaymentVariables,
} from './generated/reads/last-payment.ts';
import { type Answer, createQueryOperation, type OperationOptions } from './operation.ts';
import { type PaymentClient, requesterOf } from './payment-state.ts';

/** The last attempt to charge a subscription. */
export interface LastPayment extends Omit<AttemptOutcome, 'outcome'> {
  /** The result. NONE: nothing was charged yet. ACTION_REQUIRED: the customer has to confirm the payment. */
  readonly outcome: AttemptOutcome['outcome'] | 'NONE';
  /** The start of the attempt, in ISO 8601. Null without an attempt. */
  readonly createdAt: string | null;
  /** The end of the attempt, in ISO 8601. Null without an attempt, and while it is open. */
  readonly completedAt: string | null;
}

/**
 * Reads the last attempt to charge a subscription: `lastPayment(client, { contractId })`. It has the reason of a decline,
 * and shows a payment that waits for the customer, which `lastPaymentStatus` does not. Open `nextActionUrl` at once, and
 * store it nowhere.
 * @throws ServiceError with the failure's code.
 */
export function lastPayment(
  client: PaymentClient,
  variables: LastPaymentVariables,
  options?: OperationOptions,
): Promise<Answer<LastPayment>> {
  const readLastPayment = createQueryOperation<LastPaymentResult, LastPaymentVariables, LastPayment>(
    requesterOf(client),
    LastPaymentDocument,
    ({ billingAttempts }) => {
      const { state, createdAt = null, completedAt = null } = billingAttempts.nodes[0] ?? {};
      return { ...toAttemptOutcome(state), ...(!state && { outcome: 'NONE' }), createdAt, completedAt };
    },
  );
  return readLastPayment(variables, options);
}
