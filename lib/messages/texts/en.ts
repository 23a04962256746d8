/**
 * What customers read, in English: ICU messages (MessageFormat 1). The other languages of this folder have the same keys
 * and parameters. `npm run generate` makes functions of them, and docs/messages.md, where each can be read as it comes out.
 *
 * The words of the error catalogue stand in lib/errors/catalogue.ts. A parameter in braces alone is a text, another
 * message, or a list of both; `{day, date, long}` is an instant, told as a day in the store's zone; `{price, number, money}`
 * an amount with its currency. What stands for a person of the timeline, `{who}`, carries the auxiliary verb where a
 * language has one.
 */
export const en = {
  // The contract.
  contractUnknown: 'There is no such subscription contract.',
  contractEnded: 'The subscription contract has ended.',
  contractPaused: 'The subscription contract is paused.',
  contractChangedMeanwhile: 'The subscription contract was changed by somebody else meanwhile. {detail}',
  readAndTryAgain: 'Read it and try again.',
  futureEdits: 'A coming order was edited by itself. Changes of the contract wait until its edit is gone.',
  futureEditsOn:
    'A coming order was edited by itself: the one of {day, date, long}. Changes of the contract wait until its edit is gone.',
  minimumNotReached:
    'The plan asks for {minimum, plural, one {# order} other {# orders}} before it can be cancelled; there {made, plural, one {has been #} other {have been #}}.',

  // What is sent.
  changeNotAccepted: 'The store did not accept this change. The store itself can tell more.',
  partNotAccepted:
    'This was not accepted: {part, select, STREET {the street} CITY {the city} COMPANY {the company} COUNTRY {the country} NAME {the name} PHONE {the phone number} PROVINCE {the state or province} ZIP {the postal code} other {an entry}}. Check it and try again.',
  valueNotTaken:
    'The store did not take a value of this request. If it says where a page begins, begin with the first page.',
  answerMissing: 'This part of the answer is missing: the store did not give it.',
  datePassed: 'The date has passed. Choose a later one.',
  dateTooFar: 'The date is more than a year ahead. Choose an earlier one.',
  listTooLong: 'The list is longer than {most, plural, one {# entry} other {# entries}}.',
  textTooLong: 'The text is longer than {most, plural, one {# character} other {# characters}}.',

  // Orders.
  orderUnknown: 'The subscription has no such order.',
  orderPlaced: 'This order has been placed already: it cannot be changed any more.',
  orderSkipMissing: 'Say whether the order is skipped: true skips it, false takes that back.',
  orderSkippedBeforeMove: 'The order is skipped: take that back before moving it.',
  orderBeingBilled: 'This order is being billed: it cannot be changed until that has ended.',
  orderTimeOver: 'The time of this order is over: it cannot be moved any more.',
  orderMovableWithin:
    'The order can be moved to a day from {first, date, long} to {last, date, long}, within its own billing cycle.',
  orderDateChanged:
    'The date of this order has changed: it is due on {day, date, long}. Look at it again before you go on.',
  orderDatePassed: 'The date of this order has passed: it stays as it is.',
  orderTooClose:
    'An order is due within {hours, plural, one {# hour} other {# hours}}, on {day, date, long}. Change the interval after it.',
  noOrderOnDate:
    'No order can be on that date: the one of that time is paid, or too many orders lie before it.',
  nextOrderTooFar:
    'The next order is on {day, date, long}, and too many orders of this interval would lie before it. Choose a longer interval.',
  editDatePassed: 'The date has passed.',
  editNoOrderThatDay: 'No order of the new interval falls on that day.',
  editNoOrderCovers: 'No order of the new interval covers that date.',
  editPlaceTaken: 'Another edit holds the order of the new interval that covers that date.',
  editRefused: 'The store did not accept it.',

  // Charging.
  billingCycleUnknown: 'The contract has no such billing cycle.',
  billingCycleTooFarAhead: 'The order is more than a year ahead.',
  billingCycleBilled: 'The billing cycle has been billed.',
  billingCycleSkipped: 'The billing cycle is skipped.',
  billingFailedTooOften:
    'Billing has failed {times, plural, one {# time} other {# times}}: this order is not charged any more.',
  cycleIndexOrDate: 'Exactly one of index or date is required.',
  idempotencyKeyBlank: 'The idempotency key is blank.',
  idempotencyKeyUsed:
    'Another order was charged under this idempotency key. Give each charge a key of its own.',

  // Lines.
  lineUnknown: 'The subscription has no such line.',
  lineTwice: 'This line is named twice.',
  lineLast: 'A subscription keeps at least one line.',
  linesFull: 'The subscription has as many lines as it can have: take one out first.',
  linesTooManyToRead: 'The subscription has more than {limit, number} lines. Ask the store to change it.',
  goodsWithoutPrice: 'After this change {product} would cost nothing. Ask the store to make it.',
  goodsWithoutPriceByCode:
    'After this change {product} would cost nothing with the discount code. Remove the code first, or ask the store.',
  lineLastPaid: 'A subscription keeps at least one line that is paid for.',
  linesNothingAsked: 'Nothing is asked for: give add, update or remove.',
  linesTooMany: 'No more than {most, plural, one {# line fits} other {# lines fit}} into one change.',
  linesAndDiscountsTooMany:
    'No more than {most, plural, one {# line} other {# lines}} and discounts that go with them fit into one change: remove fewer lines.',
  variantsTooMany:
    'No more than {most, plural, one {# different new variant fits} other {# different new variants fit}} into one change.',
  variantTwice: 'This variant is named twice.',
  variantOnSubscription: 'The subscription has this variant already: change the quantity of its line.',
  variantNotForSale: 'This variant is not for sale on this subscription.',
  variantNotUnderPlan: 'The variant is not sold under this plan.',
  planDiffers: 'The plan has another interval, other days or other limits than the subscription.',
  productGiven:
    'The store gives this, or some of its price: only the store can make it more or another product. To buy more of it, add it.',
  quantityRange: 'A quantity is from {least, number} to {most, number}.',
  pricesInOtherCurrency:
    'The subscription is in {currency}, prices of products are not: only quantities can be changed, and lines removed.',

  // The interval.
  intervalOrPlanMissing: 'Give an interval, a selling plan, or both.',
  discountTiedToDate:
    'Deliveries are paid for until {day, date, long}, and the store gives a product or a discount with each. Choose a later date, or leave the date out.',
  discountTiedToInterval:
    'The store gives a product or a discount with each delivery. Ask the store for a shorter interval.',
  intervalCountRange:
    'The count of an interval in this unit is from {least, number} to {most, number}: three years at most.',
  intervalNotOffered: 'Not every product of the subscription is sold {rhythm}. {offered}',
  intervalsOffered: 'Offered: {intervals}.',
  intervalsNone: 'No interval is offered for all of them.',
  offeredInterval: '“{plan}” ({rhythm})',
  planUnknown: 'There is no such selling plan.',
  planMissing:
    'A product of the subscription is under no selling plan: only the store can change its interval.',
  planDoesNotRepeat: 'The selling plan does not repeat.',
  planBillsOtherwise: 'The selling plan bills {rhythm}. Leave one of the two out.',
  planEnds: 'The plan ends by itself. {offered}',
  planOfNoProduct: 'No product of the subscription is sold under this plan. {offered}',
  planNotForAll: 'Not every product of the subscription is sold on the terms of this plan. {offered}',
  plansSeveral: 'Several plans are {rhythm}: {plans}. Name one of them as sellingPlanId.',
  quotedName: '“{name}”',
  planUneven: 'A payment under the selling plan is for no whole number of deliveries.',
  subscriptionUneven:
    'A payment of the subscription is for no whole number of deliveries. Name a selling plan.',
  paymentUneven: 'A payment would be for no whole number of deliveries.',
  deliveriesUneven:
    'One payment is for {deliveries, plural, one {# delivery} other {# deliveries}}, which cannot be spread evenly over an order {rhythm}.',
  pricesInStoreCurrency:
    'The subscription is not in the currency of the store, which the plan has its prices in.',
  priceUnknownUnderPlan: 'The price of a product under the plan “{plan}” cannot be told. Choose another one.',
  priceUnknownAtInterval: 'The price of a product at this interval cannot be told. Choose another one.',
  anchorsDoNotFit: 'These anchors do not fit {rhythm}: {anchors}.',
  anchorOnWeekday:
    '{policy, select, BILLING {billing} other {delivery}} on {day, select, 1 {Monday} 2 {Tuesday} 3 {Wednesday} 4 {Thursday} 5 {Friday} 6 {Saturday} 7 {Sunday} other {a weekday}}',
  anchorOnMonthday: '{policy, select, BILLING {billing} other {delivery}} on day {day, number} of the month',
  anchorOnYearday:
    '{policy, select, BILLING {billing} other {delivery}} on day {day, number} of month {month, number}',
  rhythm:
    '{interval, select, DAY {{count, plural, one {every day} other {every # days}}} WEEK {{count, plural, one {every week} other {every # weeks}}} MONTH {{count, plural, one {every month} other {every # months}}} YEAR {{count, plural, one {every year} other {every # years}}} other {in another rhythm}}',
  rhythmWithDeliveries: '{rhythm} with {deliveries, plural, one {# delivery} other {# deliveries}}',

  // Delivery.
  deliveryOneKind: 'Give exactly one of shipping, localDelivery and pickupLocationId.',
  deliveryPhoneMissing: 'Local delivery needs a number that the driver can call.',
  deliveryLocalOnly: 'This belongs to local delivery alone.',
  deliveryCountryMissing: 'The address needs a country.',
  deliveryNotThere: 'The store does not deliver there.',
  deliveryNotThisWay: 'The store does not deliver there in this way.',
  deliverySeveralWays: 'There are several ways of delivery: {ways}. Choose one by its code.',
  deliveryWayUnknown: 'There is no way of delivery with this code. There are: {ways}. Choose one of them.',
  deliveryWay: '{title} ({price, number, money})',
  deliveryInOtherCurrency:
    'The store tells the price of delivery in another currency than that of the subscription.',
  deliveryWayGone:
    'The present way of delivery is not offered for these products. There are: {ways}. Choose one of them.',
  deliveryNotForGoods:
    'The store does not deliver these products in this way. Change the quantities, choose another way of delivery first, or ask the store.',
  deliveryMoreExpensive:
    'The store gives this delivery for free. Only the store can choose a more expensive way of delivery.',
  deliveryPriceUnknown:
    'This would change the way of delivery or its price, and a payment of this subscription is for several deliveries. First choose a plan that is paid with each delivery, or ask the store.',
  pickupNeedsAddress: 'What can be picked up depends on an address, and the customer has none.',
  pickupUnavailable: 'A pick-up cannot be chosen here. The store can tell more.',
  pickupNotGranted:
    'The store has not granted read_locations to this service: without it a pick-up cannot be chosen.',

  // Discounts and payment.
  discountUnknown: 'The subscription contract has no such discount.',
  codeMissing: 'There is no code.',
  codeUnknown: 'There is no such code.',
  codeNotActive: 'The code is not active at present.',
  codeNotForCustomer: 'The code is not for this customer.',
  codeUsedByCustomer: 'The customer has used the code as often as it allows.',
  codeUsedUp: 'The code has been used as often as it allows.',
  codeAlreadyUsed:
    'This code was already used for this subscription and then removed. Only the store can apply it again.',
  codeNotForSubscriptions: 'The code is not for subscriptions.',
  codeNotForProducts: 'The code is for none of the products of this subscription.',
  codeNotForDelivery: 'The code is not for this way of delivery.',
  codeNotForAmount: 'The order costs too little or too much for the code.',
  codeNotForCount: 'The order has too few or too many items for the code.',
  codeDoesNotApply: 'The code does not apply.',
  codesTried:
    'Too many codes did not apply. Try again in {minutes, plural, one {# minute} other {# minutes}}.',
  paymentMethodUnknown: 'There is no such payment method.',
  paymentMethodOfOther: 'The payment method is not the subscription’s customer’s.',
  paymentMethodRevoked: 'The payment method has been revoked.',
  paymentEmailSent:
    'An e-mail about this payment method was sent a short while ago. Ask again in {minutes, plural, one {# minute} other {# minutes}}.',

  // Sign-ins.
  webhookEndpointUnknown: 'There is no such endpoint. List the endpoints to see their ids.',
  webhookDeliveryUnknown:
    'There is no such event at this endpoint any more. List the deliveries to see their ids.',
  webhookEndpointsTooMany:
    'A store has {most, plural, one {# endpoint} other {# endpoints}} at most. Delete one first.',
  webhookReplaysTooMany:
    'Too many replays were asked for within an hour. Try again in {minutes, plural, one {# minute} other {# minutes}}.',
  webhookResendsTooMany:
    'So many events were asked for one by one today: {most, plural, one {#} other {#}}. Ask for a replay instead.',
  webhookTypesEmpty: 'Name at least one type, or leave the types away: then all are sent.',
  webhookSinceRange: 'What happened in the last 30 days can be sent again. Choose a time within them.',
  webhookChangedMeanwhile: 'The endpoint was changed by somebody else meanwhile. Read it and try again.',
  webhookTestedOften:
    'An endpoint was tested a moment ago. Try again in {seconds, plural, one {# second} other {# seconds}}.',
  webhookUrlInvalid: 'This is no URL. Give a whole one, such as https://example.com/webhooks.',
  webhookUrlNotHttps: 'Events are sent over https alone. Give a URL that begins with https://.',
  webhookUrlUser: 'The URL must not hold a user or a password. The signature shows who sends.',
  webhookUrlPort: 'Events are sent to port 443 alone. Leave the port away.',
  webhookUrlNotPublic: 'The address is not a public one: events are not sent to it.',
  webhookUrlUnresolved: 'The name in the URL leads to no address. Correct it, or try again once it does.',
  sessionUnknown: 'There is no such sign-in. List them to see their ids.',
  sessionsNoOthers: 'Only a signed-in customer has others. End each sign-in with customerSessionRevoke.',
  sessionReplaced: 'This access token was replaced by a refresh. Ask again with the new one.',
  sessionsEndedOften:
    'A sign-in can end newer ones three times in an hour. It can again in {minutes, plural, one {# minute} other {# minutes}}; a new sign-in can end this one at once.',

  // Who acted, in the timeline.
  whoYou: 'You',
  whoCustomer: 'A customer',
  whoTheCustomer: 'The customer',
  whoCustomerThrough: 'The customer, through <b>{key}</b>,',
  whoStore: 'The store',
  whoKey: '<b>{key}</b>',
  whoService: 'The subscription service',
  whoElsewhere: 'Someone outside this service',

  // What was done, by the action's name.
  billing_cycle_skipped: '{who} skipped {order}.',
  billing_cycle_unskipped: '{who} restored {order}.',
  billing_cycle_rescheduled: '{who} moved {order}.',
  billing_cycle_rescheduled_to: '{who} moved {order} to {day, date, long}.',
  billing_cycle_charged: '{who} charged {order}.',
  billing_cycle_declined: '{who} tried to charge {order}, but {why}.',
  billing_cycle_action_required: '{who} tried to charge {order}, and the payment needs to be confirmed.',
  billing_cycle_edited: '{who} changed {order} only.',
  billing_cycle_edits_deleted: '{who} undid the changes to single orders.',
  billing_cycles_charged: '{who} started to charge the orders of many subscriptions.',
  subscription_created: '{who} created the subscription.',
  subscription_paused: '{who} paused the subscription.',
  subscription_paused_until: '{who} paused the subscription until {day, date, long}.',
  subscription_resumed: '{who} resumed the subscription.',
  subscription_resumed_on: '{who} resumed the subscription, with the next order on {day, date, long}.',
  subscription_cancelled: '{who} cancelled the subscription.',
  subscription_expired: '{who} ended the subscription.',
  subscription_failed: '{who} marked the subscription as failed.',
  subscription_updated: '{who} changed the subscription.',
  subscription_lines_updated: '{who} changed the products.',
  subscription_lines_updated_to: '{who} {changes}.',
  subscription_interval_updated: '{who} changed how often orders come.',
  subscription_interval_updated_to: '{who} changed how often orders come: {rhythm}.',
  subscription_interval_updated_apart: '{who} changed how often orders come: {delivered}, paid {paid}.',
  subscription_next_billing_date_updated: '{who} set the date of the next order.',
  subscription_next_billing_date_updated_to: '{who} set the date of the next order to {day, date, long}.',
  subscription_delivery_updated: '{who} changed the delivery.',
  subscription_payment_method_updated: '{who} changed the payment method.',
  payment_method_replaced: '{who} changed the details of the payment method.',
  payment_method_removed: '{who} removed the payment method.',
  subscription_discount_applied: '{who} applied a discount.',
  subscription_discount_applied_code: '{who} applied the discount code <b>{code}</b>.',
  subscription_discount_removed: '{who} removed a discount.',
  subscription_note_updated: '{who} changed the note.',
  customer_address_updated: '{who} changed an address in the address book; the subscription keeps its own.',
  payment_method_update_email_sent: '{who} asked for an e-mail to update the payment method.',
  webhook_endpoint_disabled: '{who} stopped sending events to a webhook endpoint: it did not accept them.',
  somethingDone: '{who} made a change ({action}).',
  outcomeUnknown: 'It is not known whether this took effect.',

  // Which order.
  orderOfDay: 'the order of {day, date, long}',
  orderOfNumber: 'order {number, number}',
  orderOfNobodyKnows: 'an order',

  // What became of lines: they stand in a list after who acted.
  linesAdded: 'added {products}',
  lineRemoved: 'removed {product}',
  lineSwapped: 'swapped {before} for {after}',
  lineQuantityChanged: 'changed the quantity of {product} from {before} to {after}',
  lineDiscountRemoved: 'removed the discount {title}',
  lineSomeDiscountRemoved: 'removed a discount',
  linesMore: 'made {count, plural, one {# more change} other {# more changes}}',
  lineProduct: '{quantity} × {product}',

  // Why a payment failed, after `tried to charge …, but`.
  declinedConfirm: 'it needs to be confirmed with the bank',
  declinedStock: 'something in it is out of stock',
  declinedStore: 'the store needs to look into it',
  declinedLater: 'the payment was declined; it can be tried again later',
  declinedMethod: 'the payment method or its billing address needs to be updated',
  declinedOtherMethod: 'another payment method is needed',
  declinedPaid: 'it had already been paid',

  // Why a customer cancelled.
  cancelReason:
    '{code, select, TOO_EXPENSIVE {It costs too much.} TOO_MUCH_PRODUCT {There is too much of it.} NOT_NEEDED {It is not needed any more.} QUALITY {The product is not good enough.} DELIVERY {The delivery does not work.} MOVED {The customer has moved.} SWITCHED {The customer buys something else.} TEMPORARY {Only for a while.} other {}}',
} as const;
