/**
 * Probe queries that show which access a store has granted. They are like the service's own queries, one for each kind
 * of object. They only read, and at most one object of each list.
 */

import { writeDeliveryOptionsSelection } from '../../platform/admin-api/delivery-options.ts';
import { findAccessByHandle, type NeededAccess } from '../../platform/admin-api/needed-access.ts';
import { PROTECTED_DATA_LEVEL_2 } from '../../platform/admin-api/protected-data.ts';

type ProbeQueryData = Readonly<Record<string, unknown>>;

export type AccessProbeQuery = {
  readonly name: string;
  readonly document: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /**
   * The access that a field requires, by field name. When the platform denies a path, the last listed field of the path
   * decides.
   */
  readonly requiredAccessByField: Readonly<Record<string, string>>;
  /** The access without which the platform leaves out the objects and returns no error. */
  readonly hiddenWithout?: string;
  /** Whether the response contains an object, so that access to it is proved. */
  readonly containsObject: (data: ProbeQueryData) => boolean;
  /** Why a store with full access can have no such object. */
  readonly absenceReason: string;
};

/**
 * Whether the response to this query can prove the access. Any object of customers or orders proves level 1 of
 * protected customer data.
 */
export function canProveAccess(
  { requiredAccessByField, hiddenWithout }: AccessProbeQuery,
  row: NeededAccess,
): boolean {
  const canReadObject = (handle: string) =>
    handle === row.handle ||
    findAccessByHandle(handle)?.openedNames.some((name) => row.openedNames.includes(name));
  return [...Object.values(requiredAccessByField), hiddenWithout ?? ''].some(canReadObject);
}

const DAY_MS = 86_400_000;
const PROBED_ORDER_AGE_DAYS = 60;

const CUSTOMERS_PROBE_DOCUMENT = `query StoreCheckCustomers {
  customers(first: 1) { nodes {
    id firstName lastName defaultEmailAddress { emailAddress } defaultPhoneNumber { phoneNumber } defaultAddress { id city zip }
  } }
}`;
const ORDERS_PROBE_DOCUMENT = `query StoreCheckOrders($query: String!) { orders(first: 1, query: $query) { nodes { id createdAt } } }`;
const LOCATIONS_PROBE_DOCUMENT = 'query StoreCheckLocations { locations(first: 1) { nodes { id name } } }';
const PRODUCTS_PROBE_DOCUMENT = `query StoreCheckProducts {
  products(first: 1) { nodes { id title variants(first: 1) { nodes { id } } } }
  sellingPlanGroups(first: 1) { nodes { id name } }
}`;
const CONTRACTS_PROBE_DOCUMENT = `query StoreCheckContracts {
  subscriptionContracts(first: 1) { nodes {
    id customer { id } customerPaymentMethod { id } originOrder { id }
    deliveryMethod {
      ... on SubscriptionDeliveryMethodShipping { address { city } }
      ... on SubscriptionDeliveryMethodLocalDelivery { address { city } }
      ... on SubscriptionDeliveryMethodPickup { pickupOption { location { id } } }
    }
    lines(first: 1) { nodes { id title } }
  } }
}`;
const STOREFRONT_TOKENS_DOCUMENT =
  'query StoreCheckStorefrontTokens { shop { storefrontAccessTokens(first: 1) { nodes { id title } } } }';
const DELIVERY_OPTIONS_DOCUMENT = `query StoreCheckDeliveryOptions($_svcDraftId: ID!, $_svcAddress: MailingAddressInput) {
  subscriptionDraft(id: $_svcDraftId) { ${writeDeliveryOptionsSelection({ kind: 'pickup' })} }
}`;
/** The id of a draft that does not exist. Opening a real draft would leave it at the store. */
const NONEXISTENT_DRAFT_ID = 'gid://shopify/SubscriptionDraft/1';

const createHasNodes = (...path: readonly string[]) => {
  return (data: ProbeQueryData) => {
    const probedValue = path.reduce<unknown>((value, name) => (value as ProbeQueryData | null)?.[name], data);
    return ((probedValue as { nodes?: readonly unknown[] } | null)?.nodes ?? []).length > 0;
  };
};

/** Returns the probe queries. `nowMs` is in epoch milliseconds. */
export function buildAccessProbeQueries(nowMs: number): readonly AccessProbeQuery[] {
  const day = new Date(nowMs - PROBED_ORDER_AGE_DAYS * DAY_MS).toISOString().slice(0, 10);
  return [
    {
      name: 'Customers',
      document: CUSTOMERS_PROBE_DOCUMENT,
      variables: {},
      requiredAccessByField: {
        customers: 'read_customers',
        firstName: PROTECTED_DATA_LEVEL_2,
        lastName: PROTECTED_DATA_LEVEL_2,
        defaultEmailAddress: PROTECTED_DATA_LEVEL_2,
        defaultPhoneNumber: PROTECTED_DATA_LEVEL_2,
        defaultAddress: PROTECTED_DATA_LEVEL_2,
      },
      containsObject: createHasNodes('customers'),
      absenceReason: 'the store has no customer',
    },
    {
      name: 'Contracts',
      document: CONTRACTS_PROBE_DOCUMENT,
      variables: {},
      requiredAccessByField: {
        subscriptionContracts: 'read_own_subscription_contracts',
        customer: 'read_customers',
        customerPaymentMethod: 'read_customer_payment_methods',
        originOrder: 'read_orders',
        address: PROTECTED_DATA_LEVEL_2,
        location: 'read_locations',
      },
      containsObject: createHasNodes('subscriptionContracts'),
      absenceReason:
        "the store has no contract of this app's selling plans, and those of other apps never appear",
    },
    {
      name: 'Products',
      document: PRODUCTS_PROBE_DOCUMENT,
      variables: {},
      requiredAccessByField: { products: 'read_products', sellingPlanGroups: 'read_products' },
      containsObject: createHasNodes('products'),
      absenceReason: 'the store has no product',
    },
    {
      name: `Orders older than ${PROBED_ORDER_AGE_DAYS} days`,
      document: ORDERS_PROBE_DOCUMENT,
      variables: { query: `created_at:<${day}` },
      requiredAccessByField: { orders: 'read_orders' },
      hiddenWithout: 'read_all_orders',
      containsObject: createHasNodes('orders'),
      absenceReason: 'the store has no order that old',
    },
    {
      name: 'Locations',
      document: LOCATIONS_PROBE_DOCUMENT,
      variables: {},
      requiredAccessByField: { locations: 'read_locations' },
      containsObject: createHasNodes('locations'),
      absenceReason: 'the store has no location',
    },
    {
      name: 'Delivery options',
      document: DELIVERY_OPTIONS_DOCUMENT,
      variables: { _svcDraftId: NONEXISTENT_DRAFT_ID, _svcAddress: null },
      requiredAccessByField: {
        subscriptionDraft: 'read_own_subscription_contracts',
        location: 'read_locations',
      },
      hiddenWithout: 'read_locations',
      containsObject: () => false,
      absenceReason: 'delivery options exist only in a draft, and a check opens none',
    },
    {
      name: 'Storefront tokens',
      document: STOREFRONT_TOKENS_DOCUMENT,
      variables: {},
      requiredAccessByField: { storefrontAccessTokens: 'unauthenticated_read_product_listings' },
      containsObject: createHasNodes('shop', 'storefrontAccessTokens'),
      absenceReason:
        'no token exists; the service creates one when a client needs it, if the app may use the Storefront API',
    },
  ];
}
