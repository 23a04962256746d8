/** The catalogue of the two stores: a table of products, and discount codes. seed-plans.ts has their selling plans. */
import type { ProductRecord } from '../catalogue-records.ts';
import { DAY_MS, formatIsoInstant } from '../instant.ts';
import type { StoreState } from '../state.ts';
import { HARBOR_GROUPS, JUNIPER_GROUPS } from './seed-groups.ts';
import { addSellingPlanGroup } from './seed-plans.ts';

/** A variant weighs 250 g by default. */
type VariantSeed = [title: string, sku: string, priceMinor: number, grams?: number];
export type ProductSeed = {
  id: number;
  title: string;
  description: string;
  type: string;
  asset: string;
  optionName: string;
  variants: VariantSeed[];
  status?: ProductRecord['status'];
};

const HARBOR_PRODUCTS: ProductSeed[] = [
  {
    id: 8101001,
    title: 'Harbor House Blend',
    description: 'Chocolate, hazelnut and a little orange. Roasted every Tuesday.',
    type: 'Coffee',
    asset: 'coffee-bag',
    optionName: 'Size',
    variants: [
      ['250 g', 'HB-250', 1400],
      ['500 g', 'HB-500', 2600, 500],
      ['1 kg', 'HB-1000', 4800, 1000],
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
      ['500 g', 'ND-500', 2800, 500],
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

const JUNIPER_PRODUCTS: ProductSeed[] = [
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
  {
    id: 8202003,
    title: 'Monthly Tasting',
    description: 'Four small tins, chosen anew each month.',
    type: 'Tea',
    asset: 'tea-tin-black',
    optionName: 'Box',
    variants: [
      ['Small', 'MT-S', 1000],
      ['Large', 'MT-L', 17000],
    ],
  },
  {
    id: 8202004,
    title: 'Seasonal Oolong',
    description: 'Picked in spring, roasted in autumn.',
    type: 'Tea',
    asset: 'tea-tin-green',
    optionName: 'Tin',
    variants: [['50 g', 'SO-50', 1295]],
  },
];

/** Adds products, plan groups, codes and one location. A variant's id is the product's, followed by two digits. */
export function seedCatalogue(store: StoreState, nowMs: number): void {
  const isHarbor = store.countryCode === 'US';
  const createdAt = formatIsoInstant(nowMs - 400 * DAY_MS);
  for (const seed of isHarbor ? HARBOR_PRODUCTS : JUNIPER_PRODUCTS) addProduct(store, seed, createdAt);
  for (const group of isHarbor ? HARBOR_GROUPS : JUNIPER_GROUPS) addSellingPlanGroup(store, group, createdAt);
  for (const [code, percentage, rejectionReason] of [
    ['WELCOME10', 10, null],
    ['SPRING20', 20, 'CURRENTLY_INACTIVE'],
    ['GONE50', 50, 'USAGE_LIMIT_REACHED'],
  ] as const) {
    store.discountCodes.set(code, { code, percentage, rejectionReason });
  }
  const twoOrderDiscount = { code: 'TWICE20', percentage: 20, rejectionReason: null, recurringCycleLimit: 2 };
  store.discountCodes.set(twoOrderDiscount.code, twoOrderDiscount);
  addLocation(store, createdAt);
}

/** Adds a product and its variants. */
export function addProduct(store: StoreState, seed: ProductSeed, createdAt: string): void {
  const timestamps = { createdAt, updatedAt: createdAt };
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
    ...timestamps,
  });
  seed.variants.forEach(([title, sku, priceMinor, grams], index) => {
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
      ...(grams !== undefined && { grams }),
      taxable: true,
      asset: seed.asset,
      ...timestamps,
    });
  });
}

function addLocation(store: StoreState, createdAt: string): void {
  const isAmerican = store.countryCode === 'US';
  const id = isAmerican ? 8401001 : 8402001;
  store.locations.set(id, {
    __typename: 'Location',
    id,
    name: `${store.name} roastery`.replace('Tea roastery', 'Tea shop'),
    address1: isAmerican ? '12 Commercial Street' : '4 Milsom Street',
    city: store.city,
    zip: isAmerican ? '04101' : 'BA1 1DA',
    country: isAmerican ? 'United States' : 'United Kingdom',
    countryCode: store.countryCode,
    province: isAmerican ? 'Maine' : 'England',
    provinceCode: isAmerican ? 'ME' : 'ENG',
    isActive: true,
    createdAt,
  });
}
