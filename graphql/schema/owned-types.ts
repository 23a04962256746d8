/**
 * The types whose objects belong to one customer. A field that can return one of them is closed while a customer is
 * acting, unless it is `@sameOwner`. Add each new type of the platform's subset that describes a person.
 */
export const OWNED_TYPES: ReadonlySet<string> = new Set([
  'BasicEvent',
  'Company',
  'Customer',
  'CustomerPaymentMethod',
  'CustomerSession',
  'Fulfillment',
  'LineItem',
  'MailingAddress',
  'Metafield',
  'Order',
  'OrderTransaction',
  'SubscriptionBillingAttempt',
  'SubscriptionBillingCycle',
  'SubscriptionBillingCycleEditedContract',
  'SubscriptionContract',
  'SubscriptionDraft',
  'SubscriptionEvent',
]);
