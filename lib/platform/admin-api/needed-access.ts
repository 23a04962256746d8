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
  readonly consequence: string;
  /**
   * The names that require the access: `Customer` means every field that returns that platform type, `Customer.email`
   * that field, `Mutation.sellingPlanGroup*` all names with that prefix. An empty list: the access opens no field,
   * but reveals entries.
   */
  readonly openedNames: readonly string[];
  /** The subscription changes that are refused without it; absent if none are. */
  readonly refusedChanges?: 'every change' | readonly string[];
  /** The platform's staff must approve it before a merchant can grant it. */
  readonly needsPlatformApproval?: boolean;
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
    consequence: 'no subscription is shown',
    refusedChanges: 'every change',
    needsPlatformApproval: true,
    openedNames: [
      'SubscriptionContract',
      'SubscriptionBillingCycle',
      'SubscriptionBillingAttempt',
      'SubscriptionDraft',
    ],
  }),
  createRequiredAccess('write_own_subscription_contracts', {
    purpose: 'to change subscriptions',
    consequence: 'no subscription can be changed, and no order charged',
    refusedChanges: 'every change',
    needsPlatformApproval: true,
    openedNames: ['Mutation.subscription*'],
  }),
  createRequiredAccess('read_customer_payment_methods', {
    purpose: 'to show how a subscription is paid',
    consequence: 'no payment method is shown or chosen, and no order charged',
    refusedChanges: ['subscriptionContractPaymentMethodUpdate', 'subscriptionBillingCycleCharge'],
    needsPlatformApproval: true,
    openedNames: ['CustomerPaymentMethod'],
  }),
  createRequiredAccess(PROTECTED_DATA_LEVEL_1, {
    purpose: 'to determine the owner of a subscription',
    consequence: 'nothing is shown and nothing changed: the owner of a subscription cannot be verified',
    refusedChanges: 'every change',
    needsPlatformApproval: true,
    openedNames: ['Customer', 'Order'],
  }),
  createRequiredAccess('read_customers', {
    purpose: 'to show customers',
    consequence: 'nothing is shown and nothing changed: the owner of a subscription cannot be verified',
    refusedChanges: 'every change',
    openedNames: ['Customer', 'QueryRoot.customersCount'],
  }),
  createRequiredAccess('write_customers', {
    purpose: 'to change addresses and to send the e-mail that asks for a new card',
    consequence: 'no address can be changed, and no customer gets the e-mail about a new card',
    openedNames: [
      'Mutation.customerAddress*',
      'Mutation.customerUpdate*',
      'Mutation.customerPaymentMethodSendUpdateEmail',
      'Mutation.customerPaymentMethodGetUpdateUrl',
    ],
  }),
  createRequiredAccess('read_products', {
    purpose: 'to show products and the plans they are sold under',
    consequence: 'no product and no plan is shown, and lines and intervals cannot be changed',
    refusedChanges: ['subscriptionContractLinesUpdate', 'subscriptionContractIntervalUpdate'],
    openedNames: [
      ...['Product', 'ProductVariant', 'Collection', 'SellingPlanGroup', 'QueryRoot.collectionsCount'],
      ...['QueryRoot.productsCount', 'Collection.productsCount', 'SellingPlanGroup.productsCount'],
    ],
  }),
  createRequiredAccess('read_orders', {
    purpose: 'to show the orders of a subscription',
    consequence:
      'no order is shown, and changes that count orders are refused: lines, interval, cancellation',
    refusedChanges: [
      'subscriptionContractLinesUpdate',
      'subscriptionContractIntervalUpdate',
      'subscriptionContractCancel',
    ],
    openedNames: ['Order', 'QueryRoot.ordersCount'],
  }),
  createRequiredAccess('unauthenticated_read_product_listings', {
    purpose: 'for the storefront token of the app',
    consequence: 'the app gets no storefront token',
    openedNames: ['StorefrontAccessToken', 'Mutation.storefrontAccessToken*'],
  }),
  createOptionalAccess(PROTECTED_DATA_LEVEL_2, {
    purpose: 'to show names, addresses, e-mail addresses and phone numbers',
    consequence:
      'names, addresses, e-mail addresses and phone numbers are null, customers cannot choose a pickup or change an address',
    needsPlatformApproval: true,
    openedNames: LEVEL_2_FIELDS,
  }),
  createOptionalAccess('read_all_orders', {
    needsPlatformApproval: true,
    purpose: 'to show orders older than 60 days',
    consequence:
      'older orders are hidden: the order of an old checkout is not counted, so a minimum is reached late',
    openedNames: [],
  }),
  createOptionalAccess('read_locations', {
    purpose: 'to offer pickups',
    consequence: 'customers cannot choose a pickup, and the location of a pickup is not shown',
    openedNames: ['Location'],
  }),
  createOptionalAccess('write_products', {
    purpose: "for merchants' servers that make selling plans and say what is sold under them",
    consequence:
      'no selling plan can be made through the service, so nothing is sold under plans of this app',
    openedNames: [
      'Mutation.sellingPlanGroup*',
      'Mutation.productJoinSellingPlanGroups',
      'Mutation.productLeaveSellingPlanGroups',
      'Mutation.productVariantJoinSellingPlanGroups',
      'Mutation.productVariantLeaveSellingPlanGroups',
    ],
  }),
  createOptionalAccess('write_customer_payment_methods', {
    needsPlatformApproval: true,
    purpose: "for merchants' servers that add, replace or revoke payment methods",
    consequence: 'payment methods cannot be added, replaced or revoked through the service',
    openedNames: [
      'Mutation.customerPaymentMethodCreditCard*',
      'Mutation.customerPaymentMethodPaypal*',
      'Mutation.customerPaymentMethodRemoteCreate',
      'Mutation.customerPaymentMethodRevoke',
    ],
  }),
  createOptionalAccess('write_orders', {
    purpose: "for merchants' servers that write tags and metafields of orders",
    consequence: 'tags and metafields of orders cannot be written through the service',
    openedNames: [],
  }),
];

/** Returns the row of a scope or level. */
export function findAccessByHandle(handle: string): NeededAccess | undefined {
  return NEEDED_ACCESS.find((row) => row.handle === handle);
}

export function isScopeHandle({ handle }: Pick<NeededAccess, 'handle'>): boolean {
  return handle !== PROTECTED_DATA_LEVEL_1 && handle !== PROTECTED_DATA_LEVEL_2;
}
