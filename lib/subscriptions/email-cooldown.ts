/**
 * The e-mail with which a customer updates a payment method: how often it can be sent, and the user error when it was
 * sent recently.
 */
import { message } from '../messages/message.ts';
import { createUserError, type OperationError } from './operation-error.ts';

/** The platform's mutation that sends the e-mail. The cooldown is stored under the same name. */
export const EMAIL_MUTATION = 'customerPaymentMethodSendUpdateEmail';
export const EMAIL_COOLDOWN_MINUTES = 5;

/** Returns the user error when an e-mail was sent recently. `minutes` is the time until the next one can be sent. */
export function emailSentRecentlyError(field: string, minutes: number): OperationError {
  const fieldAndMessage = { field: [field], message: message('paymentEmailSent', { minutes }) };
  return createUserError('EMAIL_SENT_RECENTLY', fieldAndMessage);
}
