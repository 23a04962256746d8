/**
 * The classes of the platform's decline codes: what has to happen before another attempt can succeed, and who has to
 * do it. This table is the only one in the service: messages for customers and retries of charges follow it.
 */

/**
 * - RETRY_LATER: the same attempt can succeed on another day.
 * - CONFIRM: the customer has to confirm the payment, or call the bank.
 * - NEW_METHOD: the customer has to correct or replace the payment method, or an address.
 * - STOCK: the store needs goods.
 * - MERCHANT: the store has to change something else.
 * - NEVER: no attempt with this payment method or for this customer succeeds.
 * - PAID: the order was paid in another way.
 */
export type DeclineClass = 'RETRY_LATER' | 'CONFIRM' | 'NEW_METHOD' | 'STOCK' | 'MERCHANT' | 'NEVER' | 'PAID';

const DECLINE_CODES_BY_CLASS: readonly (readonly [DeclineClass, string])[] = [
  [
    'RETRY_LATER',
    `INSUFFICIENT_FUNDS TRANSIENT_ERROR PROCESSING_ERROR PAYMENT_PROVIDER_ERROR PAYPAL_ERROR_GENERAL
    GENERIC_ERROR UNEXPECTED_ERROR AUTHENTICATION_ERROR CARD_DECLINED PAYMENT_METHOD_DECLINED DO_NOT_HONOR
    TRANSACTION_LIMIT_EXCEEDED`,
  ],
  [
    'CONFIRM',
    `AUTHENTICATION_REQUIRED AUTHENTICATION_FAILED OFF_SESSION_REJECTED CONFIRMATION_REJECTED
    EXPIRED_BUYER_ACTION CANCELLED_PAYMENT CALL_ISSUER`,
  ],
  [
    'NEW_METHOD',
    `BUYER_CANCELED_PAYMENT_METHOD CARD_NUMBER_INCORRECT EXPIRED_CARD EXPIRED_PAYMENT_METHOD
    INCORRECT_ADDRESS INCORRECT_CVC INCORRECT_NUMBER INCORRECT_PIN INCORRECT_ZIP INVALID_BILLING_ADDRESS
    INVALID_CURRENCY INVALID_CUSTOMER_BILLING_AGREEMENT INVALID_CVC INVALID_EXPIRY_DATE INVALID_NUMBER
    INVALID_PAYMENT_METHOD INVALID_PURCHASE_TYPE INVALID_SHIPPING_ADDRESS PAYMENT_METHOD_NOT_FOUND
    PAYMENT_METHOD_NOT_SPECIFIED PAYMENT_METHOD_UNSUPPORTED PURCHASE_TYPE_NOT_SUPPORTED`,
  ],
  ['STOCK', 'INSUFFICIENT_INVENTORY INVENTORY_ALLOCATIONS_NOT_FOUND'],
  [
    'MERCHANT',
    `MERCHANT_ACCOUNT_ERROR MERCHANT_RULE PAYMENT_PROVIDER_IS_NOT_ENABLED TEST_MODE CUSTOMER_INVALID
    PAYMENT_METHOD_INCOMPATIBLE_WITH_GATEWAY_CONFIG NON_TEST_ORDER_LIMIT_REACHED AMOUNT_TOO_SMALL AMOUNT_TOO_LARGE
    INVALID_AMOUNT INVALID_REQUEST FREE_GIFT_CARD_NOT_ALLOWED`,
  ],
  ['NEVER', 'FRAUD_SUSPECTED RETRY_DECLINED CUSTOMER_NOT_FOUND'],
  ['PAID', 'INVOICE_ALREADY_PAID'],
];

const DECLINE_CLASS_BY_CODE: ReadonlyMap<unknown, DeclineClass> = new Map(
  DECLINE_CODES_BY_CLASS.flatMap(([declineClass, codes]) =>
    codes.split(/\s+/).map((code) => [code, declineClass] as const),
  ),
);

/** Returns the class of a decline code; RETRY_LATER for an unknown code and for none. */
export function classifyDecline(errorCode: unknown): DeclineClass {
  return DECLINE_CLASS_BY_CODE.get(errorCode) ?? 'RETRY_LATER';
}
