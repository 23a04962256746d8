/** The client's reaction to each code of `SubscriptionOperationErrorCode`. The schema explains the code's meaning. */
export const operationErrorAdvice: Readonly<Record<string, string>> = {
  ANCHORS_DO_NOT_FIT:
    'Choose an interval of the same unit as the contract’s: its `anchors` exist in that unit alone.',
  BILLING_DATE_SET_ON_SKIPPED: 'Offer to restore the order first, then to move it.',
  CONCURRENT_UPDATE: 'Read the contract, show what has changed, and let the person decide again.',
  CONTRACT_TERMINATED: 'Show the contract as ended, without a way to change it.',
  CURRENCY_NOT_SUPPORTED: 'Offer only to change quantities and to remove lines.',
  CYCLE_ALREADY_BILLED: 'Read the billing cycles again: the order has been placed.',
  CYCLE_DATE_MISMATCH: 'Read the billing cycles again and ask the person about the new date.',
  CYCLE_NOT_FOUND: 'Read the billing cycles again and use an index of theirs.',
  DATE_IN_PAST: 'Ask for a later date.',
  DATE_TOO_FAR: 'Ask for an earlier date.',
  DELIVERY_OPTION_REQUIRED: 'Show the payload’s `deliveryOptions`, and send the code of the chosen one.',
  DISCOUNT_REJECTED: 'Show the message beside the field of the code.',
  DISCOUNT_TIED_TO_INTERVAL:
    'Show the message: it says whether a later date is enough, or only the store can help.',
  EMPTY_CONTRACT: 'Leave one line in, or offer to cancel the subscription.',
  GOODS_WITHOUT_PRICE:
    'Show the message: the customer can remove a discount code, or only the store can make the change.',
  HAS_FUTURE_EDITS:
    'Show the message: it names the day of an order that has its own changes. Remove them first, or wait until the order is placed.',
  INCOMPLETE_BILLING_ATTEMPTS: 'The order is being billed: read the billing cycles again in a minute.',
  INTERVAL_NOT_OFFERED: 'Offer the plans of `offeredIntervals`, or what `subscriptionIntervalInfo` lists.',
  INVALID: 'Show the message: it says what does not fit. `field` names the argument.',
  LINE_NOT_FOUND: 'Read the contract again and use an id of its lines.',
  MINIMUM_NOT_REACHED: 'Show the message: it says how many orders come first.',
  ORDER_TOO_CLOSE:
    'Show the message: it names the day. Offer the change again after the order’s `billingAttemptExpectedDate`.',
  OUT_OF_BOUNDS: 'Offer days from `earliest` to `latest`: an order stays inside its own cycle.',
  QUANTITY_INVALID: 'Send 1 to 10,000; to remove a line, use `remove`.',
  VARIANT_NOT_AVAILABLE: 'Offer another variant.',
};

/** The client's reaction to each code of `WebhookUserErrorCode`. */
export const webhookErrorAdvice: Readonly<Record<string, string>> = {
  ENDPOINT_NOT_FOUND: 'List `webhookEndpoints` and use an id of theirs.',
  DELIVERY_NOT_FOUND: 'List `webhookDeliveries` of the endpoint and use an id of theirs.',
  ENDPOINT_LIMIT_REACHED: 'Delete an endpoint first, or change one.',
  REPLAY_LIMIT_REACHED: 'Wait as long as the message says; a replay that began goes on.',
  RESEND_LIMIT_REACHED: 'Use `webhookEndpointReplay`.',
  TESTED_TOO_SOON: 'Wait ten seconds, then send it again.',
  TYPES_EMPTY: 'Name at least one type, or leave `types` out.',
  URL_INVALID: 'Show the message beside the field of the URL.',
  ADDRESS_NOT_PUBLIC: 'Use a server with a public address.',
  ADDRESS_NOT_RESOLVED: 'Correct the host name, or send it again when its DNS record exists.',
  SINCE_OUT_OF_RANGE: 'Choose a time within the last 30 days.',
  CONCURRENT_UPDATE: 'Read the endpoint, and send it again.',
  INVALID: 'Show the message: it says what does not fit. `field` names the argument.',
};
