/** The e-mail with which a customer updates a payment method: how often it is sent, and the refusal in between. */
import { message } from '../messages/message.ts';
import { createUserError, type OperationError } from './operation-error.ts';

/** Also the name of the cooldown. */
export const EMAIL_MUTATION = 'customerPaymentMethodSendUpdateEmail';
export const EMAIL_COOLDOWN_MINUTES = 5;

/** Returns the refusal of an e-mail that was sent before. `minutes`: until the next one. */
export function emailSentRecentlyError(field: string, minutes: number): OperationError {
  const fieldAndMessage = { field: [field], message: message('paymentEmailSent', { minutes }) };
  return createUserError('EMAIL_SENT_RECENTLY', fieldAndMessage);
}
