/** The client's reaction to each code of `SubscriptionOperationErrorCode`. The schema explains the code's meaning. */
export const operationErrorAdvice: Readonly<Record<string, string>> = {
  ANCHORS_DO_NOT_FIT:
    'Choose an interval of the same unit as the contract’s: its `anchors` exist only in that unit.',
  BILLING_DATE_SET_ON_SKIPPED: 'Offer to restore the order before it is moved.',
  CHANGED_SINCE: 'Read the billing cycles again, and change the orders one by one.',
  CONCURRENT_UPDATE: 'Read the contract, show what has changed, and let the customer decide again.',
  CONTRACT_NOT_ACTIVE: 'Offer to resume the subscription first.',
  CONTRACT_TERMINATED: 'Show the contract as ended, without a way to change it.',
  CURRENCY_NOT_SUPPORTED: 'Offer only changes of quantities and removal of lines.',
  CYCLES_IRREGULAR: 'Offer to skip the order, or to move it within its cycle.',
  CYCLE_ALREADY_BILLED: 'Read the billing cycles again: the order has been placed.',
  CYCLE_DATE_MISMATCH: 'Read the billing cycles again, and ask the customer whether the new date is right.',
  CYCLE_NOT_FOUND: 'Read the billing cycles again, and use one of their indexes.',
  DATE_IN_PAST: 'Ask for a later date.',
  DATE_TOO_FAR: 'Ask for an earlier date.',
  DELIVERY_OPTION_REQUIRED: 'Show the payload’s `deliveryOptions`, and send the `code` of the chosen option.',
  DISCOUNT_REJECTED: 'Show the message next to the discount code field.',
  DISCOUNT_TIED_TO_INTERVAL:
    'Show the message: it says whether a later date is enough, or only the store can help.',
  EMPTY_CONTRACT: 'Keep at least one line, or offer to cancel the subscription.',
  GOODS_WITHOUT_PRICE:
    'Show the message: the customer can remove a discount code, or only the store can make the change.',
  HAS_FUTURE_EDITS:
    'Show the message: it names the day of an order that has its own changes. Remove them first, or wait until the order is placed.',
  INCOMPLETE_BILLING_ATTEMPTS: 'Read the billing cycles again in a minute.',
  INTERVAL_NOT_OFFERED:
    'Offer the plans in `offeredIntervals`, or those that `subscriptionIntervalInfo` lists.',
  INVALID: 'Show the message: it says what is not valid. `field` names the argument.',
  LINE_NOT_FOUND: 'Read the contract again, and use the id of one of its lines.',
  MINIMUM_NOT_REACHED: 'Show the message: it says how many orders are required.',
  NOTHING_TO_REVERT:
    'Read the contract’s `postponement` again: its `revertableUntil` has passed, or it is null.',
  NO_UPCOMING_ORDER: 'Read the contract’s `nextOrder` again.',
  ORDERS_ON_FIXED_DAYS: 'Offer to skip the order.',
  ORDER_IS_POSTPONED: 'Offer to revert the postponement, until `revertableUntil`.',
  ORDER_TOO_CLOSE:
    'Show the message: it names the day. Offer the change again after the order’s `billingAttemptExpectedDate`.',
  OUT_OF_BOUNDS: 'Offer dates from `earliest` to `latest`: an order stays within its own billing cycle.',
  PAYMENT_NOT_OPEN: 'Read the contract’s `payment` again.',
  QUANTITY_INVALID: 'Send a quantity from 1 to 10,000. To remove a line, use `remove`.',
  RETRIED_TOO_SOON: 'Offer the function again at `earliest`.',
  SEND_NOW_NOT_OFFERED:
    'Hide the function: `serviceInfo { sendNow }` is OFF. Offer to move the order to an earlier day of its cycle.',
  VARIANT_NOT_AVAILABLE: 'Offer another variant.',
};

/** The client's reaction to each code of `CustomerUserErrorCode`. */
export const customerErrorAdvice: Readonly<Record<string, string>> = {
  ADDRESS_LIMIT_REACHED: 'Offer to change one of the addresses.',
  EMAIL_SENT_RECENTLY: 'Show the message: it says when the customer can try again.',
  INVALID: 'Show the message: it says what is not valid. `field` names the argument.',
};

/** The client's reaction to each code of `BillingUserErrorCode`. */
export const billingErrorAdvice: Readonly<Record<string, string>> = {
  STORE_NOT_READY: 'Read `billingSettings { obstacles }`, and remove what they name.',
  DATE_IN_PAST: 'Choose today or a later day.',
  DATE_TOO_FAR: 'Choose a day within a year.',
  STARTED_ALREADY: 'Leave `startsOn` out.',
  RETRIES_INVALID: 'Show the message next to the days.',
  RUN_NOT_FOUND: 'Read `billingRuns`, and use the id of one of them.',
  RUN_NOT_ON_HOLD: 'Read the run again: it goes on already.',
  STOPPED_BY_OPERATOR: 'Ask the operator of the service, who alone can resume billing.',
  CONCURRENT_UPDATE: 'Read `billingSettings` or the run, then send the change again.',
  INVALID: 'Show the message: it says what is not valid. `field` names the argument.',
};

/** The client's reaction to each code of `WebhookUserErrorCode`. */
export const webhookErrorAdvice: Readonly<Record<string, string>> = {
  ENDPOINT_NOT_FOUND: 'Read `webhookEndpoints`, and use the id of one of them.',
  DELIVERY_NOT_FOUND: 'Read `webhookDeliveries` of the endpoint, and use the id of one of them.',
  ENDPOINT_LIMIT_REACHED: 'Delete or change an existing endpoint.',
  REPLAY_LIMIT_REACHED: 'Wait as long as the message says. A replay that has started continues.',
  RESEND_LIMIT_REACHED: 'Use `webhookEndpointReplay`.',
  TESTED_TOO_SOON: 'Wait ten seconds, then send the request again.',
  TYPES_EMPTY: 'Send at least one type, or leave out `types`.',
  URL_INVALID: 'Show the message next to the URL field.',
  ADDRESS_NOT_PUBLIC: 'Use a server with a public address.',
  ADDRESS_NOT_RESOLVED: 'Correct the host name, or retry when its DNS record exists.',
  SINCE_OUT_OF_RANGE: 'Choose a time within the last 30 days.',
  CONCURRENT_UPDATE: 'Read the endpoint, then send the change again.',
  INVALID: 'Show the message: it says what is not valid. `field` names the argument.',
};
