/**
 * Fields that need a scope of the app, or its approval for protected customer data. As on the platform, a denial is an
 * error of one field, and a non-null field makes its parent null.
 */
import { type GraphQLField, type GraphQLObjectType, getNamedType } from 'graphql';
import type { StoreState } from '../state/state.ts';
import { hasScope, isApprovedForProtectedData, type ProtectedDataKind } from '../state/store-access.ts';
import { createApiError } from './api-error.ts';
import { findMutationScope } from './mutation-scopes.ts';

/** The requirements of a field; every app may read a field without an entry. */
export type AccessRequirements = {
  readonly scope?: string | undefined;
  /** The type name of an object that needs level 1. */
  readonly object?: string | undefined;
  /** The kind of level-2 protected customer data that the field has, for example e-mail addresses. */
  readonly kind?: ProtectedDataKind | undefined;
};

/** The scope for a type, in fields that return it or its connection. */
const SCOPE_BY_TYPE: Readonly<Record<string, string>> = {
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

/** The scopes of roots whose return type does not determine them. */
const SCOPE_BY_ROOT_FIELD: Readonly<Record<string, string>> = {
  collectionsCount: 'read_products',
  customersCount: 'read_customers',
  ordersCount: 'read_orders',
  productsCount: 'read_products',
  subscriptionBillingCycleBulkResults: 'read_own_subscription_contracts',
};

/** The types whose objects need level 1 of protected customer data. */
const PROTECTED_OBJECTS: ReadonlySet<string> = new Set(['Customer', 'Order']);

/** The fields that need level 2 of protected customer data, by the kind of data. */
const PROTECTED_FIELDS_BY_KIND: Readonly<
  Record<string, Readonly<Partial<Record<ProtectedDataKind, readonly string[]>>>>
> = {
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

/** Returns the requirements of the type's field, or undefined when there are none. */
export function requirementsOfField(
  type: GraphQLObjectType,
  field: GraphQLField<unknown, unknown>,
): AccessRequirements | undefined {
  const objectName = formatObjectName(getNamedType(field.type).name);
  const requiredScope =
    type.name === 'Mutation'
      ? findMutationScope(field.name)
      : (SCOPE_BY_ROOT_FIELD[field.name] ?? SCOPE_BY_TYPE[objectName]);
  const object = PROTECTED_OBJECTS.has(objectName) && type.name !== 'Mutation' ? objectName : undefined;
  const kinds = Object.entries(PROTECTED_FIELDS_BY_KIND[type.name] ?? {});
  const kind = kinds.find(([, names]) => names.includes(field.name))?.[0] as ProtectedDataKind | undefined;
  return (requiredScope ?? object ?? kind) === undefined ? undefined : { scope: requiredScope, object, kind };
}

/** Returns the requirements of an object of the type, whichever field returns it. */
export function requirementsOfObject(typeName: string): AccessRequirements {
  return {
    scope: SCOPE_BY_TYPE[typeName],
    object: PROTECTED_OBJECTS.has(typeName) ? typeName : undefined,
  };
}

/**
 * Checks the store's access to a field.
 * @throws ACCESS_DENIED when the store lacks a requirement
 */
export function checkAccess(
  store: StoreState,
  fieldName: string,
  { scope, object, kind }: AccessRequirements,
): void {
  if (scope !== undefined && !hasScope(store, scope)) throw createScopeDeniedError(fieldName, scope);
  if (object !== undefined && !isApprovedForProtectedData(store, 'customer')) {
    throw createAccessDeniedError(
      `This app is not approved to access the ${object} object.${PROTECTED_DATA_HINT}`,
    );
  }
  if (kind !== undefined && !isApprovedForProtectedData(store, kind)) {
    throw createAccessDeniedError(
      `This app is not approved to use the ${fieldName} field.${PROTECTED_DATA_HINT}`,
    );
  }
}

const PROTECTED_DATA_HINT =
  ' See https://shopify.dev/docs/apps/launch/protected-customer-data for more details.';

function createScopeDeniedError(fieldName: string, scope: string) {
  const requiredAccess = `\`${scope}\` access scope.`;
  return createAccessDeniedError(`Access denied for ${fieldName} field. Required access: ${requiredAccess}`, {
    requiredAccess,
  });
}

/** Creates the error of a field that the app may not read; `message` names the missing access. */
export function createAccessDeniedError(
  message: string,
  otherExtensions: Readonly<Record<string, string>> = {},
) {
  const documentation = 'https://shopify.dev/api/usage/access-scopes';
  return createApiError(message, 'ACCESS_DENIED', { documentation, ...otherExtensions });
}

function formatObjectName(typeName: string): string {
  return typeName.replace(/(Connection|Edge)$/, '');
}
