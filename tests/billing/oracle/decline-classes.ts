/** The classes of declines: the table of section 1 of the platform's facts on billing, with the classes of the design. */

/**
 * `later`: the next number of days. `customer`: only after the customer has acted. `stock`: the schedule for stock.
 * `merchant`: that schedule, without a final action. `never`: the final action at once. `paid`: the order may be paid.
 */
export type DeclineClass = 'customer' | 'later' | 'merchant' | 'never' | 'paid' | 'stock';

const CODES_BY_CLASS: Readonly<Record<DeclineClass, string>> = {
  later: `INSUFFICIENT_FUNDS TRANSIENT_ERROR PROCESSING_ERROR PAYMENT_PROVIDER_ERROR PAYPAL_ERROR_GENERAL GENERIC_ERROR
    UNEXPECTED_ERROR AUTHENTICATION_ERROR CARD_DECLINED PAYMENT_METHOD_DECLINED DO_NOT_HONOR TRANSACTION_LIMIT_EXCEEDED`,
  customer: `AUTHENTICATION_REQUIRED AUTHENTICATION_FAILED OFF_SESSION_REJECTED CONFIRMATION_REJECTED EXPIRED_BUYER_ACTION
    CANCELLED_PAYMENT CALL_ISSUER EXPIRED_PAYMENT_METHOD EXPIRED_CARD INCORRECT_NUMBER INVALID_NUMBER INCORRECT_ADDRESS
    INCORRECT_ZIP INVALID_EXPIRY_DATE PAYMENT_METHOD_NOT_FOUND PAYMENT_METHOD_NOT_SPECIFIED PAYMENT_METHOD_UNSUPPORTED
    BUYER_CANCELED_PAYMENT_METHOD INVALID_CUSTOMER_BILLING_AGREEMENT INVALID_SHIPPING_ADDRESS INVALID_BILLING_ADDRESS
    INVALID_PAYMENT_METHOD CARD_NUMBER_INCORRECT INVALID_CURRENCY INVALID_PURCHASE_TYPE PURCHASE_TYPE_NOT_SUPPORTED
    INCORRECT_CVC INVALID_CVC INCORRECT_PIN`,
  stock: 'INSUFFICIENT_INVENTORY INVENTORY_ALLOCATIONS_NOT_FOUND',
  merchant: `MERCHANT_ACCOUNT_ERROR MERCHANT_RULE PAYMENT_PROVIDER_IS_NOT_ENABLED
    PAYMENT_METHOD_INCOMPATIBLE_WITH_GATEWAY_CONFIG TEST_MODE NON_TEST_ORDER_LIMIT_REACHED AMOUNT_TOO_SMALL
    AMOUNT_TOO_LARGE INVALID_AMOUNT INVALID_REQUEST FREE_GIFT_CARD_NOT_ALLOWED CUSTOMER_INVALID`,
  never: 'FRAUD_SUSPECTED RETRY_DECLINED CUSTOMER_NOT_FOUND',
  paid: 'INVOICE_ALREADY_PAID',
};

/** @returns the codes of a class that the platform documents */
export function codesOfClass(declineClass: DeclineClass): readonly string[] {
  return CODES_BY_CLASS[declineClass].trim().split(/\s+/);
}

const CLASS_BY_CODE: ReadonlyMap<string, DeclineClass> = new Map(
  (['later', 'customer', 'stock', 'merchant', 'never', 'paid'] as const).flatMap((declineClass) =>
    codesOfClass(declineClass).map((code) => [code, declineClass] as const),
  ),
);

/** Returns the class of a code. A code that is unknown is tried again later. */
export function classifyDecline(code: string): DeclineClass {
  return CLASS_BY_CODE.get(code) ?? 'later';
}

/** Ten of these in a row say that the merchant's account takes no payments at all. */
export const ACCOUNT_CODES: ReadonlySet<string> = new Set([
  'MERCHANT_ACCOUNT_ERROR',
  'PAYMENT_PROVIDER_IS_NOT_ENABLED',
  'TEST_MODE',
]);
