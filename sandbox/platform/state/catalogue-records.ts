/** Records of products, selling plans, discount codes and delivery rates. Money is in minor units. */

export type ProductRecord = {
  __typename: 'Product';
  id: number;
  title: string;
  handle: string;
  description: string;
  productType: string;
  vendor: string;
  status: 'ACTIVE' | 'ARCHIVED' | 'DRAFT' | 'UNLISTED';
  tags: string[];
  optionName: string;
  /** File name of the picture below `{origin}/_assets/`. */
  asset: string;
  createdAt: string;
  updatedAt: string;
};

export type VariantRecord = {
  __typename: 'ProductVariant';
  id: number;
  productId: number;
  title: string;
  sku: string;
  position: number;
  priceMinor: number;
  compareAtPriceMinor: number | null;
  inventoryQuantity: number;
  inventoryPolicy: 'CONTINUE' | 'DENY';
  requiresShipping: boolean;
  /** The weight of one piece; absent: 250. */
  grams?: number;
  taxable: boolean;
  asset: string;
  createdAt: string;
  updatedAt: string;
};

export type IntervalUnit = 'DAY' | 'WEEK' | 'MONTH' | 'YEAR';

export type BillingAnchor = {
  type: 'WEEKDAY' | 'MONTHDAY' | 'YEARDAY';
  day: number;
  month: number | null;
  cutoffDay: number | null;
};

export type FrequencyPolicy = { interval: IntervalUnit; intervalCount: number; anchors: BillingAnchor[] };
export type BillingPolicy = FrequencyPolicy & { minCycles: number | null; maxCycles: number | null };

/** A price rule of a plan; `afterCycle` null: from the first order on. A percentage is in percent, money in minor units. */
export type PricingPolicy = {
  adjustmentType: 'PERCENTAGE' | 'FIXED_AMOUNT' | 'PRICE';
  adjustmentValue: number;
  afterCycle: number | null;
  createdAt: string;
};

export type SellingPlanRecord = {
  __typename: 'SellingPlan';
  id: number;
  groupId: number;
  name: string;
  description: string | null;
  options: string[];
  position: number;
  category: string | null;
  reserve: string | null;
  billingPolicy: BillingPolicy;
  deliveryPolicy: FrequencyPolicy & { cutoff: number | null; preAnchorBehavior: string };
  pricingPolicies: PricingPolicy[];
  createdAt: string;
};

export type SellingPlanGroupRecord = {
  __typename: 'SellingPlanGroup';
  id: number;
  appId: string | null;
  name: string;
  merchantCode: string;
  description: string | null;
  options: string[];
  position: number | null;
  productIds: number[];
  variantIds: number[];
  createdAt: string;
};

/** A discount code of the store, with the reason why the platform rejects it, if it does. */
export type DiscountCodeRecord = {
  code: string;
  percentage: number;
  rejectionReason: string | null;
  /** The number of payments of a contract that the code is for. Without it, the code is for all payments. */
  recurringCycleLimit?: number;
};

export const DELIVERY_KINDS = ['shipping', 'localDelivery', 'pickup'] as const;

/** One row of the table of delivery rates. An omitted limit does not apply; `from` is included, `below` is not. */
export type DeliveryRate = {
  kind: (typeof DELIVERY_KINDS)[number];
  code: string;
  title: string;
  description: string;
  /** In minor units of the contract's currency. */
  priceMinor: number;
  /** The amount of goods of one payment, before discounts, in minor units. */
  fromMinor?: number;
  belowMinor?: number;
  /** The weight of one delivery. */
  fromGrams?: number;
  belowGrams?: number;
  /** ISO 3166: countries (`US`) and their subdivisions (`US-ME`). */
  regions?: string[];
};

export type LocationRecord = {
  __typename: 'Location';
  id: number;
  name: string;
  address1: string;
  city: string;
  zip: string;
  country: string;
  countryCode: string;
  province: string | null;
  provinceCode: string | null;
  isActive: boolean;
  createdAt: string;
};
