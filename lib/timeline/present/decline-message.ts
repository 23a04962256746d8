/**
 * The messages of declined payments: what to do, and who has to do it. The platform's codes can reveal more than a
 * customer should learn, so each message is for a class of codes.
 */

import { type Message, message } from '../../messages/message.ts';

const CONFIRM_MESSAGE = message('declinedConfirm');
const STOCK_MESSAGE = message('declinedStock');
const STORE_MESSAGE = message('declinedStore');
const TRY_LATER_MESSAGE = message('declinedLater');
const PAYMENT_METHOD_MESSAGE = message('declinedMethod');

const MESSAGE_BY_ERROR_CODE: Readonly<Record<string, Message>> = {
  ...messageForCodes(
    TRY_LATER_MESSAGE,
    'INSUFFICIENT_FUNDS TRANSIENT_ERROR PROCESSING_ERROR PAYMENT_PROVIDER_ERROR PAYPAL_ERROR_GENERAL',
  ),
  ...messageForCodes(
    TRY_LATER_MESSAGE,
    'GENERIC_ERROR UNEXPECTED_ERROR AUTHENTICATION_ERROR CARD_DECLINED PAYMENT_METHOD_DECLINED',
  ),
  ...messageForCodes(TRY_LATER_MESSAGE, 'DO_NOT_HONOR TRANSACTION_LIMIT_EXCEEDED'),
  ...messageForCodes(
    CONFIRM_MESSAGE,
    'AUTHENTICATION_REQUIRED AUTHENTICATION_FAILED OFF_SESSION_REJECTED CONFIRMATION_REJECTED',
  ),
  ...messageForCodes(CONFIRM_MESSAGE, 'EXPIRED_BUYER_ACTION CANCELLED_PAYMENT CALL_ISSUER'),
  ...messageForCodes(STOCK_MESSAGE, 'INSUFFICIENT_INVENTORY INVENTORY_ALLOCATIONS_NOT_FOUND'),
  ...messageForCodes(
    STORE_MESSAGE,
    'MERCHANT_ACCOUNT_ERROR MERCHANT_RULE PAYMENT_PROVIDER_IS_NOT_ENABLED TEST_MODE CUSTOMER_INVALID',
  ),
  ...messageForCodes(
    STORE_MESSAGE,
    'PAYMENT_METHOD_INCOMPATIBLE_WITH_GATEWAY_CONFIG NON_TEST_ORDER_LIMIT_REACHED AMOUNT_TOO_SMALL',
  ),
  ...messageForCodes(
    STORE_MESSAGE,
    'AMOUNT_TOO_LARGE INVALID_AMOUNT INVALID_REQUEST FREE_GIFT_CARD_NOT_ALLOWED CUSTOMER_NOT_FOUND',
  ),
  // Never mention fraud.
  ...messageForCodes(message('declinedOtherMethod'), 'FRAUD_SUSPECTED RETRY_DECLINED'),
  ...messageForCodes(message('declinedPaid'), 'INVOICE_ALREADY_PAID'),
  ...messageForCodes(
    PAYMENT_METHOD_MESSAGE,
    'BUYER_CANCELED_PAYMENT_METHOD CARD_NUMBER_INCORRECT EXPIRED_CARD EXPIRED_PAYMENT_METHOD',
  ),
  ...messageForCodes(
    PAYMENT_METHOD_MESSAGE,
    'INCORRECT_ADDRESS INCORRECT_NUMBER INCORRECT_ZIP INVALID_BILLING_ADDRESS INVALID_CURRENCY',
  ),
  ...messageForCodes(
    PAYMENT_METHOD_MESSAGE,
    'INVALID_CUSTOMER_BILLING_AGREEMENT INVALID_EXPIRY_DATE INVALID_NUMBER INVALID_PAYMENT_METHOD',
  ),
  ...messageForCodes(
    PAYMENT_METHOD_MESSAGE,
    'INVALID_PURCHASE_TYPE INVALID_SHIPPING_ADDRESS PAYMENT_METHOD_NOT_FOUND PURCHASE_TYPE_NOT_SUPPORTED',
  ),
  ...messageForCodes(
    PAYMENT_METHOD_MESSAGE,
    'PAYMENT_METHOD_NOT_SPECIFIED PAYMENT_METHOD_UNSUPPORTED INCORRECT_CVC INVALID_CVC INCORRECT_PIN',
  ),
};

/** Returns the message of a code, as a part of a sentence; that of a transient decline for an unknown code. */
export function declineMessage(errorCode: unknown): Message {
  return typeof errorCode === 'string' && Object.hasOwn(MESSAGE_BY_ERROR_CODE, errorCode)
    ? (MESSAGE_BY_ERROR_CODE[errorCode] ?? TRY_LATER_MESSAGE)
    : TRY_LATER_MESSAGE;
}

function messageForCodes(message: Message, codes: string): Record<string, Message> {
  return Object.fromEntries(codes.split(' ').map((code) => [code, message]));
}
