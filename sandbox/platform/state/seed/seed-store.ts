/** Creates the two stores of the seed without content, and customers with an address and a card. */
import { createOrderTable } from '../add-order.ts';
import { AttemptTable } from '../attempt-table.ts';
import type { AddressContent, CardRecord, CustomerRecord } from '../customer-records.ts';
import { DAY_MS, formatIsoInstant } from '../instant.ts';
import { hashId } from '../opaque-id.ts';
import type { StoreState } from '../state.ts';
import { createFullAccess } from '../store-access.ts';
import { TouchedMap } from '../tables/touched-map.ts';
import { createDefaultBehaviour } from '../unpublished-behaviour.ts';

const STORE_BASICS = {
  harbor: {
    shop: 'harbor-coffee.myshopify.com',
    shopId: 81234567001,
    name: 'Harbor Coffee',
    storefrontUrl: 'https://harbor-coffee.example',
    email: 'hello@harbor-coffee.example',
    currencyCode: 'USD',
    presentmentCurrencies: ['USD', 'CAD'],
    ianaTimezone: 'America/New_York',
    city: 'Portland',
    countryCode: 'US',
    shipsToCountries: ['US', 'CA'],
    portalPageId: '90210001',
    nextId: 910_000_000,
    nextOrderNumber: 1001,
  },
  juniper: {
    shop: 'juniper-tea.myshopify.com',
    shopId: 81234567002,
    name: 'Juniper Tea',
    storefrontUrl: 'https://juniper-tea.example',
    email: 'hello@juniper-tea.example',
    currencyCode: 'GBP',
    presentmentCurrencies: ['GBP'],
    ianaTimezone: 'Europe/London',
    city: 'Bath',
    countryCode: 'GB',
    shipsToCountries: ['GB', 'IE'],
    portalPageId: '90210002',
    nextId: 920_000_000,
    nextOrderNumber: 5001,
  },
};

/** Returns the plan of a development store, which supports only test payments. */
export function createDevelopmentPlan(): StoreState['plan'] {
  return { partnerDevelopment: true, publicDisplayName: 'Development' };
}

/** Creates an empty store. Client id and token are derived from its domain, so that they survive a reset. */
export function createEmptyStore(key: 'harbor' | 'juniper', nowMs: number): StoreState {
  const storeBasics = STORE_BASICS[key];
  return {
    ...storeBasics,
    __typename: 'Shop',
    clientId: formatAsUuid(hashId(`${storeBasics.shop}/client`)),
    accessToken: `shpat_${hashId(`${storeBasics.shop}/admin-token`)}`,
    redirectUris: [`shop.${storeBasics.shopId}.app://callback`],
    createdAt: formatIsoInstant(nowMs - 900 * DAY_MS),
    throttle: { maximumAvailable: 2000, restoreRate: 100 },
    access: createFullAccess(),
    chargeDelaySeconds: 0,
    rescheduling: 'AFTER_CURRENT_CYCLE',
    unpublished: createDefaultBehaviour(),
    plan: createDevelopmentPlan(),
    customers: new Map(),
    addresses: new Map(),
    paymentMethods: new TouchedMap(),
    products: new Map(),
    variants: new Map(),
    sellingPlanGroups: new Map(),
    sellingPlans: new Map(),
    discountCodes: new Map(),
    locations: new Map(),
    contracts: new TouchedMap(),
    contractsOfOtherApps: new Map(),
    drafts: new Map(),
    attempts: new AttemptTable(),
    orders: createOrderTable(),
    storefrontTokens: new Map(),
    metafields: new Map(),
    jobs: new Map(),
  };
}

export type CustomerSeed = {
  id: number;
  name: [first: string, last: string];
  email: string;
  createdAt: string;
  /** Street, city, postcode; with it come an address of id * 10 + 1 and a card. */
  home?: [street: string, city: string, zip: string];
  card?: Partial<CardRecord>;
};

/** Adds a customer; with `home`, also an address and a card. */
export function addCustomer(store: StoreState, seed: CustomerSeed): CustomerRecord {
  const [firstName, lastName] = seed.name;
  const customer: CustomerRecord = {
    __typename: 'Customer',
    id: seed.id,
    email: seed.email,
    firstName,
    lastName,
    phone: null,
    locale: 'en',
    note: null,
    tags: [],
    taxExempt: false,
    defaultAddressId: null,
    createdAt: seed.createdAt,
    updatedAt: seed.createdAt,
  };
  store.customers.set(customer.id, customer);
  if (seed.home !== undefined) {
    const address = createHomeAddress(store, customer, seed.home);
    const id = seed.id * 10 + 1;
    customer.defaultAddressId = id;
    store.addresses.set(id, {
      ...address,
      __typename: 'MailingAddress',
      id,
      model: 'CustomerAddress',
      customerId: seed.id,
    });
    addCard(store, customer, { billingAddress: address, ...seed.card });
  }
  return customer;
}

/** Returns the id of a customer's seeded card. */
export function deriveCardId(store: Pick<StoreState, 'shop'>, customerId: number): string {
  return hashId(`${store.shop}/card/${customerId}`);
}

/** Adds a card. `id` is by default that of the customer's first card. */
export function addCard(
  store: StoreState,
  customer: CustomerRecord,
  { id = deriveCardId(store, customer.id), ...card }: Partial<CardRecord> & { readonly id?: string },
): void {
  store.paymentMethods.set(id, {
    __typename: 'CustomerPaymentMethod',
    id,
    customerId: customer.id,
    revokedAt: null,
    revokedReason: null,
    instrument: {
      __typename: 'CustomerCreditCard',
      brand: 'visa',
      expiryMonth: 9,
      expiryYear: 2031,
      firstDigits: '424242',
      lastDigits: '4242',
      name: `${customer.firstName} ${customer.lastName}`,
      billingAddress: null,
      declines: null,
      ...card,
    },
  });
}

function createHomeAddress(
  store: StoreState,
  customer: CustomerRecord,
  home: [string, string, string],
): AddressContent {
  const isAmerican = store.countryCode === 'US';
  return {
    address1: home[0],
    address2: null,
    city: home[1],
    company: null,
    country: isAmerican ? 'United States' : 'United Kingdom',
    countryCodeV2: store.countryCode,
    firstName: customer.firstName,
    lastName: customer.lastName,
    phone: null,
    province: isAmerican ? 'Maine' : 'England',
    provinceCode: isAmerican ? 'ME' : 'ENG',
    zip: home[2],
  };
}

function formatAsUuid(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
