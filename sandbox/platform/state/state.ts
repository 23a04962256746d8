/**
 * The complete state of the emulated platform: several stores, and their mails. The admin API and the sign-in pages
 * read and change it; seed.ts fills it, snapshot.ts stores it.
 * For the HTTP server: product pictures are the SVG files of `ASSETS_DIRECTORY`. The API refers to them as
 * `{origin}/_assets/<name>.svg`, so serve that folder there with `image/svg+xml`.
 */
import type { AttemptTable } from './attempt-table.ts';
import type { ReschedulingRule } from './billing-cycles.ts';
import type {
  DeliveryRate,
  DiscountCodeRecord,
  LocationRecord,
  ProductRecord,
  SellingPlanGroupRecord,
  SellingPlanRecord,
  VariantRecord,
} from './catalogue-records.ts';
import type { ContractRecord, DraftRecord, OrderRecord } from './contract-records.ts';
import type { AddressRecord, CustomerRecord, OutcomeStep, PaymentMethodRecord } from './customer-records.ts';
import type { StoreAccess } from './store-access.ts';
import type { GroupedMap } from './tables/grouped-map.ts';
import type { TouchedMap } from './tables/touched-map.ts';
import type { BehaviourSettings } from './unpublished-behaviour.ts';
import type { AppWebhooks, WebhookSubscriptionRecord } from './webhook-records.ts';

export type MailRecord = { at: string; to: string; subject: string; text: string };

export type StorefrontTokenRecord = {
  __typename: 'StorefrontAccessToken';
  id: number;
  title: string;
  accessToken: string;
  createdAt: string;
};

export type MetafieldRecord = {
  __typename: 'Metafield';
  id: number;
  ownerId: string;
  namespace: string;
  key: string;
  type: string;
  value: string;
  createdAt: string;
  updatedAt: string;
};

export type BulkSearch = {
  billingAttemptExpectedDateRange: { startDate: string; endDate: string };
  filters?: {
    billingAttemptStatus?: 'ANY' | 'HAS_ATTEMPT' | 'NO_ATTEMPT' | null;
    billingCycleStatus?: ('BILLED' | 'UNBILLED')[] | null;
    contractStatus?: string[] | null;
  } | null;
};

/** `createdAt` is undefined in data of an earlier version, whose jobs are done. */
export type JobRecord = {
  id: string;
  createdAt?: string;
  /** The search, when the platform repeats it for each reading of the results. */
  search?: BulkSearch;
  /** The contract and the index of each cycle found, such as `9101001/7`. Undefined in data of an earlier version. */
  cycleKeys?: string[];
};

export type StoreState = {
  __typename: 'Shop';
  shop: string;
  shopId: number;
  name: string;
  clientId: string;
  /** The Admin API's token, as in `X-Shopify-Access-Token`. */
  accessToken: string;
  redirectUris: string[];
  /** The callbacks of the client of web pages. Undefined without one, and in data of an earlier version. */
  webRedirectUris?: string[];
  storefrontUrl: string;
  portalPageId: string | null;
  email: string;
  currencyCode: string;
  presentmentCurrencies: string[];
  ianaTimezone: string;
  city: string;
  countryCode: string;
  shipsToCountries: string[];
  createdAt: string;
  /** The Admin API's leaky bucket: its size, and the points restored a second. */
  throttle: { maximumAvailable: number; restoreRate: number };
  /** Undefined in data of an earlier version, where it means full access. */
  access?: StoreAccess;
  /**
   * The `sub` of customers whose id_tokens name something else than their id; the real platform's values are
   * undocumented.
   */
  subjects?: Record<number, string>;
  /** How long a charge stays pending; 0: until the next request. */
  chargeDelaySeconds: number;
  /** How long customers can confirm a payment; undefined or null: without end. */
  confirmSeconds?: number | null;
  /** After so many declined payments in a row a payment method is revoked; undefined or null: never. */
  failuresUntilRevoked?: number | null;
  /** The script of all charges. */
  outcomes?: OutcomeStep[];
  /** How long a bulk job takes; undefined for a job that is done immediately. */
  jobSeconds?: number;
  /** After this time the platform has lost a bulk job; undefined or null: never. */
  jobLifetimeSeconds?: number | null;
  /** Delivery prices; undefined or null for those of the seed. */
  deliveryRates?: DeliveryRate[] | null;
  /** The effect of a new interval on the current cycle. */
  rescheduling: ReschedulingRule;
  /** The store's choice for each undocumented behaviour. */
  unpublished: BehaviourSettings;
  /** A development store has only test payments. */
  plan: { partnerDevelopment: boolean; publicDisplayName: string };
  /** The last number of an object. Each store counts from its own start, so that numbers are unique across stores. */
  nextId: number;
  nextOrderNumber: number;
  customers: Map<number, CustomerRecord>;
  addresses: Map<number, AddressRecord>;
  paymentMethods: TouchedMap<string, PaymentMethodRecord>;
  products: Map<number, ProductRecord>;
  variants: Map<number, VariantRecord>;
  sellingPlanGroups: Map<number, SellingPlanGroupRecord>;
  sellingPlans: Map<number, SellingPlanRecord>;
  discountCodes: Map<string, DiscountCodeRecord>;
  locations: Map<number, LocationRecord>;
  /** The app's own contracts; it cannot read, change or bill any others. */
  contracts: TouchedMap<number, ContractRecord>;
  contractsOfOtherApps: Map<number, ContractRecord>;
  drafts: Map<number, DraftRecord>;
  attempts: AttemptTable;
  /** Grouped by contract and by customer: see `createOrderTable`. */
  orders: GroupedMap<number, OrderRecord>;
  storefrontTokens: Map<number, StorefrontTokenRecord>;
  metafields: Map<string, MetafieldRecord>;
  jobs: Map<string, JobRecord>;
  /** Undefined until the first subscription is created. */
  webhookSubscriptions?: Map<number, WebhookSubscriptionRecord>;
  appWebhooks?: AppWebhooks | null;
};

export type PlatformState = {
  stores: Map<string, StoreState>;
  mails: MailRecord[];
  /** The instant from which the seed's times are counted, in epoch milliseconds. */
  seededAtMs: number;
};

/** The folder of the product pictures. */
export const ASSETS_DIRECTORY = new URL('./assets/', import.meta.url);

/** Returns the address of a product picture: `{origin}/_assets/<name>.svg`. */
export function formatAssetUrl(origin: string, name: string): string {
  return `${origin}/_assets/${name}.svg`;
}
