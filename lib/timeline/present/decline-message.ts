/**
 * The messages of declined payments: what to do, and who has to do it. The platform's codes can reveal more than a
 * customer should learn, so each message is for a class of codes.
 */

import { type Message, message } from '../../messages/message.ts';
import { classifyDecline, type DeclineClass } from '../decline-class.ts';

const MESSAGE_BY_DECLINE_CLASS: Readonly<Record<DeclineClass, Message>> = {
  RETRY_LATER: message('declinedLater'),
  CONFIRM: message('declinedConfirm'),
  NEW_METHOD: message('declinedMethod'),
  STOCK: message('declinedStock'),
  MERCHANT: message('declinedStore'),
  // Never mention fraud.
  NEVER: message('declinedOtherMethod'),
  PAID: message('declinedPaid'),
};

/** Returns the message of a code, as a part of a sentence; that of a transient decline for an unknown code. */
export function declineMessage(errorCode: unknown): Message {
  // Another payment method does not help when the store has lost the customer.
  return MESSAGE_BY_DECLINE_CLASS[
    errorCode === 'CUSTOMER_NOT_FOUND' ? 'MERCHANT' : classifyDecline(errorCode)
  ];
}

/** Reasons for which a person at the store has to look at the order. */
const REPORTED_REASONS: ReadonlySet<unknown> = new Set([
  ...[
    'OVERDUE',
    'PAID_ELSEWHERE',
    'PRICE_REFUSED',
    'EMPTY_CYCLE',
    'UNDER_REVIEW',
    'MERCHANT_ACCOUNT',
    'REFUSED',
  ],
  'NO_OUTCOME',
]);

/**
 * Returns why an order ended unpaid, as a part of a sentence. `reason`: that of the service's charge.
 * @returns undefined when there is nothing that the customer or the store can do
 */
export function unpaidMessage(reason: unknown, errorCode: unknown): Message | undefined {
  if (REPORTED_REASONS.has(reason)) return message('declinedStore');
  if (reason === 'TRIES_OVER') return message('triesOver');
  return reason === 'NEVER_RETRIED' ? declineMessage(errorCode) : undefined;
}
