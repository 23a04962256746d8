/**
 * The table of required and optional access of a store's grant: scopes, and levels of protected customer data. The
 * installation, `store check` and docs/operators.md take the consequences of missing access from here.
 */

import { PROTECTED_DATA_LEVEL_1, PROTECTED_DATA_LEVEL_2 } from './protected-data.ts';

export type NeededAccess = {
  /** A scope's handle, or a level of protected customer data, which has none. */
  readonly handle: string;
  readonly need: 'required' | 'optional';
  /** The purpose of the access: "to show customers". */
  readonly purpose: string;
  /** The consequence without the access; it continues "Without it". */
  readonly without: string;
  /**
   * The names that require the access: `Customer` means every field that returns that platform type, `Customer.email`
   * that field, `Mutation.sellingPlanGroup*` all names with that prefix. An empty list: the access opens no field,
   * but reveals entries.
   */
  readonly opens: readonly string[];
  /** The subscription changes that are refused without it; absent if none are. */
  readonly stops?: 'every change' | readonly string[];
  /** The platform's staff must approve it before a merchant can grant it. */
  readonly isByRequest?: boolean;
};

const createRequiredAccess = (handle: string, row: Omit<NeededAccess, 'handle' | 'need'>): NeededAccess => ({
  handle,
  need: 'required',
  ...row,
});
const createOptionalAccess = (handle: string, row: Omit<NeededAccess, 'handle' | 'need'>): NeededAccess => ({
  handle,
  need: 'optional',
  ...row,
});

/** Level 2: names, addresses, e-mail addresses and phone numbers, in all types. */
const LEVEL_2_FIELDS = Object.entries({
  Customer: [
    ...['displayName', 'firstName', 'lastName', 'addresses', 'addressesV2', 'defaultAddress'],
    ...['defaultEmailAddress', 'email', 'defaultPhoneNumber', 'phone'],
  ],
  CustomerCreditCard: ['name', 'billingAddress'],
  CustomerPaypalBillingAgreement: ['billingAddress', 'paypalAccountEmail'],
  CustomerShopPayAgreement: ['name', 'billingAddress'],
  MailingAddress: [
    ...['firstName', 'lastName', 'name', 'phone', 'address1', 'address2', 'city', 'zip'],
    ...['formatted', 'latitude', 'longitude'],
  ],
  Order: ['billingAddress', 'displayAddress', 'shippingAddress', 'email', 'phone'],
  SubscriptionDeliveryMethodLocalDeliveryOption: ['phone'],
}).flatMap(([type, fields]) => fields.map((field) => `${type}.${field}`));

/** All accesses, in the order of an operator's requests: those that the platform approves manually come first. */
export const NEEDED_ACCESS: readonly NeededAccess[] = [
  createRequiredAccess('read_own_subscription_contracts', {
    purpose: 'to show subscriptions',
    without: 'no subscription is shown',
    stops: 'every change',
    isByRequest: true,
    opens: [
      'SubscriptionContract',
      'SubscriptionBillingCycle',
      'SubscriptionBillingAttempt',
      'SubscriptionDraft',
    ],
  }),
  createRequiredAccess('write_own_subscription_contracts', {
    purpose: 'to change subscriptions',
    without: 'no subscription can be changed, and no order charged',
    stops: 'every change',
    isByRequest: true,
    opens: ['Mutation.subscription*'],
  }),
  createRequiredAccess('read_customer_payment_methods', {
    purpose: 'to show how a subscription is paid',
    without: 'no payment method is shown or chosen, and no order charged',
    stops: ['subscriptionContractPaymentMethodUpdate', 'subscriptionBillingCycleCharge'],
    isByRequest: true,
    opens: ['CustomerPaymentMethod'],
  }),
  createRequiredAccess(PROTECTED_DATA_LEVEL_1, {
    purpose: 'to determine the owner of a subscription',
    without: 'nothing is shown and nothing changed: the owner of a subscription cannot be verified',
    stops: 'every change',
    isByRequest: true,
    opens: ['Customer', 'Order'],
  }),
  createRequiredAccess('read_customers', {
    purpose: 'to show customers',
    without: 'nothing is shown and nothing changed: the owner of a subscription cannot be verified',
    stops: 'every change',
    opens: ['Customer', 'QueryRoot.customersCount'],
  }),
  createRequiredAccess('write_customers', {
    purpose: 'to change addresses and to send the e-mail that asks for a new card',
    without: 'no address can be changed, and no customer gets the e-mail about a new card',
    opens: [
      'Mutation.customerAddress*',
      'Mutation.customerUpdate*',
      'Mutation.customerPaymentMethodSendUpdateEmail',
      'Mutation.customerPaymentMethodGetUpdateUrl',
    ],
  }),
  createRequiredAccess('read_products', {
    purpose: 'to show products and the plans they are sold under',
    without: 'no product and no plan is shown, and lines and intervals cannot be changed',
    stops: ['subscriptionContractLinesUpdate', 'subscriptionContractIntervalUpdate'],
    opens: [
      ...['Product', 'ProductVariant', 'Collection', 'SellingPlanGroup', 'QueryRoot.collectionsCount'],
      ...['QueryRoot.productsCount', 'Collection.productsCount', 'SellingPlanGroup.productsCount'],
    ],
  }),
  createRequiredAccess('read_orders', {
    purpose: 'to show the orders of a subscription',
    without: 'no order is shown, and changes that count orders are refused: lines, interval, cancellation',
    stops: [
      'subscriptionContractLinesUpdate',
      'subscriptionContractIntervalUpdate',
      'subscriptionContractCancel',
    ],
    opens: ['Order', 'QueryRoot.ordersCount'],
  }),
  createRequiredAccess('unauthenticated_read_product_listings', {
    purpose: 'for the storefront token of the app',
    without: 'the app gets no storefront token',
    opens: ['StorefrontAccessToken', 'Mutation.storefrontAccessToken*'],
  }),
  createOptionalAccess(PROTECTED_DATA_LEVEL_2, {
    purpose: 'to show names, addresses, e-mail addresses and phone numbers',
    without:
      'names, addresses, e-mail addresses and phone numbers are null, customers cannot choose a pickup or change an address',
    isByRequest: true,
    opens: LEVEL_2_FIELDS,
  }),
  createOptionalAccess('read_all_orders', {
    isByRequest: true,
    purpose: 'to show orders older than 60 days',
    without:
      'older orders are hidden: the order of an old checkout is not counted, so a minimum is reached late',
    opens: [],
  }),
  createOptionalAccess('read_locations', {
    purpose: 'to offer pickups',
    without: 'customers cannot choose a pickup, and the location of a pickup is not shown',
    opens: ['Location'],
  }),
  createOptionalAccess('write_products', {
    purpose: "for merchants' servers that make selling plans and say what is sold under them",
    without: 'no selling plan can be made through the service, so nothing is sold under plans of this app',
    opens: [
      'Mutation.sellingPlanGroup*',
      'Mutation.productJoinSellingPlanGroups',
      'Mutation.productLeaveSellingPlanGroups',
      'Mutation.productVariantJoinSellingPlanGroups',
      'Mutation.productVariantLeaveSellingPlanGroups',
    ],
  }),
  createOptionalAccess('write_customer_payment_methods', {
    isByRequest: true,
    purpose: "for merchants' servers that add, replace or revoke payment methods",
    without: 'payment methods cannot be added, replaced or revoked through the service',
    opens: [
      'Mutation.customerPaymentMethodCreditCard*',
      'Mutation.customerPaymentMethodPaypal*',
      'Mutation.customerPaymentMethodRemoteCreate',
      'Mutation.customerPaymentMethodRevoke',
    ],
  }),
  createOptionalAccess('write_orders', {
    purpose: "for merchants' servers that write tags and metafields of orders",
    without: 'tags and metafields of orders cannot be written through the service',
    opens: [],
  }),
];

/** Returns the row of a scope or level. */
export function findAccessByHandle(handle: string): NeededAccess | undefined {
  return NEEDED_ACCESS.find((row) => row.handle === handle);
}

export function isScopeHandle({ handle }: Pick<NeededAccess, 'handle'>): boolean {
  return handle !== PROTECTED_DATA_LEVEL_1 && handle !== PROTECTED_DATA_LEVEL_2;
}
