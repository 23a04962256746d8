/**
 * Fields that answer only to an app with a scope, or approved for protected customer data. As on the platform a denial
 * is one field's error, and what may not be null takes its parent with it.
 */
import { type GraphQLField, type GraphQLObjectType, getNamedType } from 'graphql';
import type { StoreState } from '../state/state.ts';
import { hasScope, isApproved, type ProtectedKind } from '../state/store-access.ts';
import { apiError } from './api-error.ts';
import { mutationScope } from './mutation-scopes.ts';

/** What a field needs; without an entry every app may read it. */
export type FieldNeeds = {
  readonly scope?: string | undefined;
  /** The object, as the platform names it, that takes level 1. */
  readonly object?: string | undefined;
  /** The kind of level 2. */
  readonly kind?: ProtectedKind | undefined;
};

/** The scope that reads a type, in a field that brings it or its connection. */
const scopeOfType: Readonly<Record<string, string>> = {
  Collection: 'read_products',
  Customer: 'read_customers',
  CustomerPaymentMethod: 'read_customer_payment_methods',
  Location: 'read_locations',
  Order: 'read_orders',
  Product: 'read_products',
  ProductVariant: 'read_products',
  SellingPlanGroup: 'read_products',
  StorefrontAccessToken: 'unauthenticated_read_product_listings',
  SubscriptionBillingAttempt: 'read_own_subscription_contracts',
  SubscriptionBillingCycle: 'read_own_subscription_contracts',
  SubscriptionContract: 'read_own_subscription_contracts',
  SubscriptionDraft: 'read_own_subscription_contracts',
};

/** Roots whose type does not say what they tell of. */
const scopeOfRoot: Readonly<Record<string, string>> = {
  collectionsCount: 'read_products',
  customersCount: 'read_customers',
  ordersCount: 'read_orders',
  productsCount: 'read_products',
  subscriptionBillingCycleBulkResults: 'read_own_subscription_contracts',
};

/** Level 1 of protected customer data. */
const PROTECTED_OBJECTS: ReadonlySet<string> = new Set(['Customer', 'Order']);

/** Level 2: fields of these types, by the kind of data. */
const kindOfField: Readonly<Record<string, Readonly<Partial<Record<ProtectedKind, readonly string[]>>>>> = {
  Customer: {
    name: ['displayName', 'firstName', 'lastName'],
    address: ['addresses', 'addressesV2', 'defaultAddress'],
    email: ['defaultEmailAddress', 'email'],
    phone: ['defaultPhoneNumber', 'phone'],
  },
  CustomerCreditCard: { name: ['name'], address: ['billingAddress'] },
  CustomerPaypalBillingAgreement: { address: ['billingAddress'], email: ['paypalAccountEmail'] },
  CustomerShopPayAgreement: { name: ['name'], address: ['billingAddress'] },
  MailingAddress: {
    name: ['firstName', 'lastName', 'name'],
    address: ['address1', 'address2', 'city', 'formatted', 'latitude', 'longitude', 'zip'],
    phone: ['phone'],
  },
  Order: {
    address: ['billingAddress', 'displayAddress', 'shippingAddress'],
    email: ['email'],
    phone: ['phone'],
  },
  SubscriptionDeliveryMethodLocalDeliveryOption: { phone: ['phone'] },
};

/** What the field of that type needs; undefined: nothing. */
export function needsOf(
  type: GraphQLObjectType,
  field: GraphQLField<unknown, unknown>,
): FieldNeeds | undefined {
  const brought = objectOf(getNamedType(field.type).name);
  const scope =
    type.name === 'Mutation' ? mutationScope(field.name) : (scopeOfRoot[field.name] ?? scopeOfType[brought]);
  const object = PROTECTED_OBJECTS.has(brought) && type.name !== 'Mutation' ? brought : undefined;
  const kinds = Object.entries(kindOfField[type.name] ?? {});
  const kind = kinds.find(([, names]) => names.includes(field.name))?.[0] as ProtectedKind | undefined;
  return (scope ?? object ?? kind) === undefined ? undefined : { scope, object, kind };
}

/** What an object of the type needs, however one comes to it. */
export function needsOfObject(typeName: string): FieldNeeds {
  return {
    scope: scopeOfType[typeName],
    object: PROTECTED_OBJECTS.has(typeName) ? typeName : undefined,
  };
}

/** Throws ACCESS_DENIED where the store lacks what the field needs. */
export function checkAccess(store: StoreState, name: string, { scope, object, kind }: FieldNeeds): void {
  if (scope !== undefined && !hasScope(store, scope)) throw deniedScope(name, scope);
  if (object !== undefined && !isApproved(store, 'customer')) {
    throw denied(`This app is not approved to access the ${object} object.${SEE_PROTECTED}`);
  }
  if (kind !== undefined && !isApproved(store, kind)) {
    throw denied(`This app is not approved to use the ${name} field.${SEE_PROTECTED}`);
  }
}

const SEE_PROTECTED = ' See https://shopify.dev/docs/apps/launch/protected-customer-data for more details.';

function deniedScope(name: string, scope: string) {
  const requiredAccess = `\`${scope}\` access scope.`;
  return denied(`Access denied for ${name} field. Required access: ${requiredAccess}`, { requiredAccess });
}

/** The refusal of a document that was not run: `message` says what the app lacks. */
export function denied(message: string, more: Readonly<Record<string, string>> = {}) {
  const documentation = 'https://shopify.dev/api/usage/access-scopes';
  return apiError(message, 'ACCESS_DENIED', { documentation, ...more });
}

function objectOf(typeName: string): string {
  return typeName.replace(/(Connection|Edge)$/, '');
}
