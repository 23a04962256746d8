/**
 * The messages of declined payments: what to do, and who has to do it. The platform's codes can reveal more than a
 * customer should learn, so each message is for a class of codes.
 */

import { type Message, message } from '../../messages/message.ts';

const CONFIRM = message('declinedConfirm');
const STOCK = message('declinedStock');
const STORE = message('declinedStore');
const LATER = message('declinedLater');
const METHOD = message('declinedMethod');

const MESSAGES: Readonly<Record<string, Message>> = {
  ...all(
    LATER,
    'INSUFFICIENT_FUNDS TRANSIENT_ERROR PROCESSING_ERROR PAYMENT_PROVIDER_ERROR PAYPAL_ERROR_GENERAL',
  ),
  ...all(LATER, 'GENERIC_ERROR UNEXPECTED_ERROR AUTHENTICATION_ERROR CARD_DECLINED PAYMENT_METHOD_DECLINED'),
  ...all(LATER, 'DO_NOT_HONOR TRANSACTION_LIMIT_EXCEEDED'),
  ...all(CONFIRM, 'AUTHENTICATION_REQUIRED AUTHENTICATION_FAILED OFF_SESSION_REJECTED CONFIRMATION_REJECTED'),
  ...all(CONFIRM, 'EXPIRED_BUYER_ACTION CANCELLED_PAYMENT CALL_ISSUER'),
  ...all(STOCK, 'INSUFFICIENT_INVENTORY INVENTORY_ALLOCATIONS_NOT_FOUND'),
  ...all(
    STORE,
    'MERCHANT_ACCOUNT_ERROR MERCHANT_RULE PAYMENT_PROVIDER_IS_NOT_ENABLED TEST_MODE CUSTOMER_INVALID',
  ),
  ...all(
    STORE,
    'PAYMENT_METHOD_INCOMPATIBLE_WITH_GATEWAY_CONFIG NON_TEST_ORDER_LIMIT_REACHED AMOUNT_TOO_SMALL',
  ),
  ...all(
    STORE,
    'AMOUNT_TOO_LARGE INVALID_AMOUNT INVALID_REQUEST FREE_GIFT_CARD_NOT_ALLOWED CUSTOMER_NOT_FOUND',
  ),
  // Never mention fraud.
  ...all(message('declinedOtherMethod'), 'FRAUD_SUSPECTED RETRY_DECLINED'),
  ...all(message('declinedPaid'), 'INVOICE_ALREADY_PAID'),
  ...all(METHOD, 'BUYER_CANCELED_PAYMENT_METHOD CARD_NUMBER_INCORRECT EXPIRED_CARD EXPIRED_PAYMENT_METHOD'),
  ...all(METHOD, 'INCORRECT_ADDRESS INCORRECT_NUMBER INCORRECT_ZIP INVALID_BILLING_ADDRESS INVALID_CURRENCY'),
  ...all(
    METHOD,
    'INVALID_CUSTOMER_BILLING_AGREEMENT INVALID_EXPIRY_DATE INVALID_NUMBER INVALID_PAYMENT_METHOD',
  ),
  ...all(
    METHOD,
    'INVALID_PURCHASE_TYPE INVALID_SHIPPING_ADDRESS PAYMENT_METHOD_NOT_FOUND PURCHASE_TYPE_NOT_SUPPORTED',
  ),
  ...all(
    METHOD,
    'PAYMENT_METHOD_NOT_SPECIFIED PAYMENT_METHOD_UNSUPPORTED INCORRECT_CVC INVALID_CVC INCORRECT_PIN',
  ),
};

/** Returns the message of a code, as a part of a sentence; that of a transient decline for an unknown code. */
export function declineMessage(errorCode: unknown): Message {
  return typeof errorCode === 'string' && Object.hasOwn(MESSAGES, errorCode)
    ? (MESSAGES[errorCode] ?? LATER)
    : LATER;
}

function all(message: Message, codes: string): Record<string, Message> {
  return Object.fromEntries(codes.split(' ').map((code) => [code, message]));
}
