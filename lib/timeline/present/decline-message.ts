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

/** Returns the message of a decline code, as a part of a sentence. An unknown code gets the message of a transient decline. */
export function declineMessage(errorCode: unknown): Message {
  // Another payment method would not help, because the store has no such customer any more.
  return MESSAGE_BY_DECLINE_CLASS[
    errorCode === 'CUSTOMER_NOT_FOUND' ? 'MERCHANT' : classifyDecline(errorCode)
  ];
}

/** The reasons of unpaid orders that a person at the store has to look at. */
const REPORTED_REASONS: ReadonlySet<unknown> = new Set([
  'OVERDUE',
  'PAID_ELSEWHERE',
  'PRICE_REFUSED',
  'EMPTY_CYCLE',
  'UNDER_REVIEW',
  'MERCHANT_ACCOUNT',
  'REFUSED',
  'NO_OUTCOME',
]);

/**
 * Returns why an order ended unpaid, as a part of a sentence. `reason`: the reason with which its charge was closed.
 * @returns undefined when there is nothing that the customer or the store can do
 */
export function unpaidMessage(reason: unknown, errorCode: unknown): Message | undefined {
  if (REPORTED_REASONS.has(reason)) return message('declinedStore');
  if (reason === 'TRIES_OVER') return message('triesOver');
  return reason === 'NEVER_RETRIED' ? declineMessage(errorCode) : undefined;
}
