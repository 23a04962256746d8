/** What the two stores sell: a table of products, the plans they are sold under, and discount codes. */
import type { Interval, PricingPolicy, ProductRecord, SellingPlanGroupRecord } from './catalogue-records.ts';
import { dayMs, isoInstant } from './instant.ts';
import type { StoreState } from './state.ts';

type VariantSeed = [title: string, sku: string, priceMinor: number];
type ProductSeed = {
  id: number;
  title: string;
  description: string;
  type: string;
  asset: string;
  optionName: string;
  variants: VariantSeed[];
  status?: ProductRecord['status'];
};

const harborProducts: ProductSeed[] = [
  {
    id: 8101001,
    title: 'Harbor House Blend',
    description: 'Chocolate, hazelnut and a little orange. Roasted every Tuesday.',
    type: 'Coffee',
    asset: 'coffee-bag',
    optionName: 'Size',
    variants: [
      ['250 g', 'HB-250', 1400],
      ['500 g', 'HB-500', 2600],
      ['1 kg', 'HB-1000', 4800],
    ],
  },
  {
    id: 8101002,
    title: 'Night Watch Decaf',
    description: 'Water-processed decaf, caramel and red apple.',
    type: 'Coffee',
    asset: 'decaf-bag',
    optionName: 'Size',
    variants: [
      ['250 g', 'ND-250', 1500],
      ['500 g', 'ND-500', 2800],
    ],
  },
  {
    id: 8101003,
    title: 'Filter Papers',
    description: 'Unbleached cone filters.',
    type: 'Equipment',
    asset: 'filter-papers',
    optionName: 'Pack',
    variants: [
      ['100 sheets', 'FP-100', 600],
      ['200 sheets', 'FP-200', 1050],
    ],
  },
  {
    id: 8101004,
    title: 'Enamel Mug',
    description: 'Holds 350 ml and a grudge against gravity.',
    type: 'Equipment',
    asset: 'mug',
    optionName: 'Colour',
    variants: [
      ['Navy', 'EM-NAVY', 1800],
      ['Cream', 'EM-CREAM', 1800],
    ],
  },
  {
    id: 8101005,
    title: 'Winter Reserve',
    description: 'Not on sale yet.',
    type: 'Coffee',
    asset: 'coffee-bag',
    optionName: 'Size',
    variants: [['250 g', 'WR-250', 2200]],
    status: 'DRAFT',
  },
];

const juniperProducts: ProductSeed[] = [
  {
    id: 8202001,
    title: 'Juniper Breakfast',
    description: 'Assam and Kenyan leaves, brisk and malty.',
    type: 'Tea',
    asset: 'tea-tin-black',
    optionName: 'Tin',
    variants: [
      ['100 g', 'JB-100', 950],
      ['250 g', 'JB-250', 1950],
    ],
  },
  {
    id: 8202002,
    title: 'Garden Green',
    description: 'Sencha with lemon balm.',
    type: 'Tea',
    asset: 'tea-tin-green',
    optionName: 'Tin',
    variants: [['100 g', 'GG-100', 1100]],
  },
];

/** Adds products, plan groups, codes and one location. Variant ids are the product's, then two digits. */
export function seedCatalogue(store: StoreState, nowMs: number): void {
  const harbor = store.countryCode === 'US';
  const createdAt = isoInstant(nowMs - 400 * dayMs);
  for (const seed of harbor ? harborProducts : juniperProducts) addProduct(store, seed, createdAt);
  const ids = harbor ? [8101001, 8101002, 8101003, 8101005] : [8202001, 8202002];
  addGroup(
    store,
    { id: harbor ? 8301001 : 8302001, name: 'Subscribe and save', productIds: ids, createdAt },
    [
      ['Every week', 'WEEK', 1, 1],
      ['Every 2 weeks', 'WEEK', 2, 2],
      ['Every month', 'MONTH', 1, 1],
    ],
  );
  if (harbor) {
    addGroup(store, { id: 8301002, name: 'Prepaid decaf', productIds: [8101002], createdAt }, [
      ['Monthly, paid every 3 months', 'MONTH', 3, 1],
    ]);
  }
  for (const [code, percentage, rejectionReason] of [
    ['WELCOME10', 10, null],
    ['SPRING20', 20, 'CURRENTLY_INACTIVE'],
    ['GONE50', 50, 'USAGE_LIMIT_REACHED'],
  ] as const) {
    store.discountCodes.set(code, { code, percentage, rejectionReason });
  }
  addLocation(store, createdAt);
}

function addProduct(store: StoreState, seed: ProductSeed, createdAt: string): void {
  const times = { createdAt, updatedAt: createdAt };
  store.products.set(seed.id, {
    __typename: 'Product',
    id: seed.id,
    title: seed.title,
    handle: seed.title.toLowerCase().replaceAll(' ', '-'),
    description: seed.description,
    productType: seed.type,
    vendor: store.name,
    status: seed.status ?? 'ACTIVE',
    tags: ['seed'],
    optionName: seed.optionName,
    asset: seed.asset,
    ...times,
  });
  seed.variants.forEach(([title, sku, priceMinor], index) => {
    const id = seed.id * 100 + index + 1;
    store.variants.set(id, {
      __typename: 'ProductVariant',
      id,
      productId: seed.id,
      title,
      sku,
      position: index + 1,
      priceMinor,
      compareAtPriceMinor: null,
      inventoryQuantity: 500,
      inventoryPolicy: 'DENY',
      requiresShipping: true,
      taxable: true,
      asset: seed.asset,
      ...times,
    });
  });
}

type GroupSeed = Pick<SellingPlanGroupRecord, 'id' | 'name' | 'productIds' | 'createdAt'>;
type PlanSeed = [name: string, interval: Interval, billingCount: number, deliveryCount: number];

function addGroup(store: StoreState, seed: GroupSeed, plans: PlanSeed[]): void {
  store.sellingPlanGroups.set(seed.id, {
    __typename: 'SellingPlanGroup',
    ...seed,
    appId: null,
    merchantCode: seed.name.toLowerCase().replaceAll(' ', '-'),
    description: null,
    options: ['Delivery every'],
    position: 1,
    variantIds: [],
  });
  plans.forEach((plan, index) => {
    addPlan(store, seed, { plan, index });
  });
}

function addPlan(
  store: StoreState,
  group: GroupSeed,
  { plan, index }: { plan: PlanSeed; index: number },
): void {
  const [name, interval, billingCount, deliveryCount] = plan;
  const id = group.id * 100 + index + 1;
  const { createdAt } = group;
  const pricingPolicies: PricingPolicy[] = [
    { adjustmentType: 'PERCENTAGE', adjustmentValue: 10, afterCycle: null, createdAt },
    { adjustmentType: 'PERCENTAGE', adjustmentValue: 15, afterCycle: 6, createdAt },
  ];
  store.sellingPlans.set(id, {
    __typename: 'SellingPlan',
    id,
    groupId: group.id,
    name,
    description: null,
    options: [name],
    position: index + 1,
    category: 'SUBSCRIPTION',
    reserve: 'ON_FULFILLMENT',
    billingPolicy: { interval, intervalCount: billingCount, anchors: [], minCycles: null, maxCycles: null },
    deliveryPolicy: {
      interval,
      intervalCount: deliveryCount,
      anchors: [],
      cutoff: null,
      preAnchorBehavior: 'ASAP',
    },
    pricingPolicies,
    createdAt,
  });
}

function addLocation(store: StoreState, createdAt: string): void {
  const american = store.countryCode === 'US';
  const id = american ? 8401001 : 8402001;
  store.locations.set(id, {
    __typename: 'Location',
    id,
    name: `${store.name} roastery`.replace('Tea roastery', 'Tea shop'),
    address1: american ? '12 Commercial Street' : '4 Milsom Street',
    city: store.city,
    zip: american ? '04101' : 'BA1 1DA',
    country: american ? 'United States' : 'United Kingdom',
    countryCode: store.countryCode,
    province: american ? 'Maine' : 'England',
    provinceCode: american ? 'ME' : 'ENG',
    isActive: true,
    createdAt,
  });
}
