/** The payment of a subscription whose store the service bills, and another try of it. */
import type { Request } from '../request/request.ts';
import {
  RetryPaymentDocument,
  type RetryPaymentPayload,
  type RetryPaymentVariables,
} from './generated/changes/retry-payment.ts';
import {
  PaymentStateDocument,
  type PaymentStateResult,
  type PaymentStateVariables,
} from './generated/reads/payment-state.ts';
import {
  type Answer,
  createChangeOperations,
  createQueryOperation,
  type OperationOptions,
  type Requester,
} from './operation.ts';

/** The part of a customer's client that the functions of payments need. */
export type PaymentClient = {
  /** Sends the document. */
  readonly request: Request;
};

/** Converts the client to a requester. The customer's id is empty: no document of payments uses it. */
export const requesterOf = ({ request }: PaymentClient): Requester => ({
  request,
  customerId: async () => '',
});

/**
 * Reads how the last payment of a subscription stands: `paymentState(client, { contractId })`. `payment` is null where the
 * service does not bill: then use `lastPayment`. Open `confirmationUrl` at once, and store it nowhere.
 * @throws ServiceError with the failure's code.
 */
export function paymentState(
  client: PaymentClient,
  variables: PaymentStateVariables,
  options?: OperationOptions,
): Promise<Answer<NonNullable<PaymentStateResult['subscriptionContract']>>> {
  return createQueryOperation(requesterOf(client), PaymentStateDocument)(variables, options);
}

/**
 * Has an open payment tried again within a minute: `retryPayment(client, { contractId })`. Once an hour for each order:
 * otherwise RETRIED_TOO_SOON, with `details.earliest`. The result of the try is an entry of the timeline.
 * @throws the error of `retryPayment` if the service refused it, else ServiceError with the failure's code.
 */
export function retryPayment(
  client: PaymentClient,
  variables: Omit<RetryPaymentVariables, 'idempotencyKey'>,
  options?: OperationOptions,
): Promise<Answer<RetryPaymentPayload>> {
  return createChangeOperations(requesterOf(client), { retryPayment: RetryPaymentDocument }).retryPayment(
    variables,
    options,
  );
}
