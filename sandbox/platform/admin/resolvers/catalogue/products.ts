/** Products and variants: reading and listing them. */
import type { ProductRecord, VariantRecord } from '../../../state/catalogue-records.ts';
import { type AdminContext, fieldsOf, type ResolverMap } from '../../context.ts';
import { countOf } from '../../cost/counts.ts';
import { gid, numberOf } from '../../gid.ts';
import { type ConnectionArgs, connectionOf } from '../../lists/connections.ts';
import { type SearchFields, searchTest } from '../../lists/search.ts';
import { sortedBy } from '../../lists/sorting.ts';
import { moneyV2 } from '../../money.ts';
import { imageOf } from './images.ts';
import { groupsOfProduct } from './selling-plan-membership.ts';

const searchFields: SearchFields<ProductRecord> = {
  created_at: { kind: 'instant', of: (product) => product.createdAt },
  updated_at: { kind: 'instant', of: (product) => product.updatedAt },
  handle: { kind: 'text', of: (product) => product.handle },
  id: { kind: 'number', of: (product) => product.id },
  product_type: { kind: 'text', of: (product) => product.productType },
  status: { kind: 'text', of: (product) => product.status },
  tag: { kind: 'text', of: (product) => product.tags },
  title: { kind: 'text', of: (product) => product.title },
  vendor: { kind: 'text', of: (product) => product.vendor },
};

const sortKeys: Record<string, (product: ProductRecord) => string | number> = {
  CREATED_AT: (product) => product.createdAt,
  PUBLISHED_AT: (product) => product.createdAt,
  UPDATED_AT: (product) => product.updatedAt,
  TITLE: (product) => product.title,
  PRODUCT_TYPE: (product) => product.productType,
  VENDOR: (product) => product.vendor,
};

type ListArgs = ConnectionArgs & { query?: string | null; sortKey?: string | null; limit?: number | null };

function findProducts({ store }: AdminContext, args: ListArgs): ProductRecord[] {
  const test = searchTest(args.query, searchFields, ({ title, vendor }) => `${title} ${vendor}`);
  return sortedBy(
    store.products.values(),
    sortKeys[args.sortKey ?? 'ID'] ?? ((product) => product.id),
  ).filter(test);
}

/** A product's variants, by position. */
function variantsOf(product: ProductRecord, { store }: AdminContext): VariantRecord[] {
  return sortedBy(store.variants.values(), ({ position }) => position).filter(
    ({ productId }) => productId === product.id,
  );
}

type Identifier = { id?: string; handle?: string; customId?: unknown };

function byIdentifier(_parent: unknown, { identifier }: { identifier: Identifier }, { store }: AdminContext) {
  if (identifier.id !== undefined) return store.products.get(numberOf(identifier.id, 'Product')) ?? null;
  return [...store.products.values()].find(({ handle }) => handle === identifier.handle) ?? null;
}

function priceRange(product: ProductRecord, context: AdminContext) {
  const prices = variantsOf(product, context).map(({ priceMinor }) => priceMinor);
  const { currencyCode } = context.store;
  return {
    minVariantPrice: moneyV2(Math.min(...prices), currencyCode),
    maxVariantPrice: moneyV2(Math.max(...prices), currencyCode),
  };
}

function optionsOf(product: ProductRecord, context: AdminContext) {
  const values = variantsOf(product, context).map(({ title }) => title);
  return [
    {
      __typename: 'ProductOption',
      id: gid('ProductOption', product.id),
      name: product.optionName,
      position: 1,
      values,
      optionValues: values.map((name, index) => ({
        __typename: 'ProductOptionValue',
        id: gid('ProductOptionValue', `${product.id}${index}`),
        name,
        hasVariants: true,
      })),
    },
  ];
}

/** A picture as media, by the id of the product or variant it belongs to. */
export function mediaOf(record: ProductRecord | VariantRecord, altText: string) {
  const { asset, id, createdAt, updatedAt } = record;
  const image = imageOf(asset, altText);
  return {
    __typename: 'MediaImage',
    id: gid('MediaImage', id),
    alt: altText,
    createdAt,
    image,
    mediaContentType: 'IMAGE',
    mimeType: 'image/svg+xml',
    preview: { image, status: 'READY' },
    status: 'READY',
    updatedAt,
  };
}

function imagesOfProduct(product: ProductRecord) {
  return [imageOf(product.asset, product.title)].filter((image) => image !== null);
}

export const productResolvers: ResolverMap = {
  QueryRoot: {
    product: (_parent: unknown, args: { id: string }, { store }) =>
      store.products.get(numberOf(args.id, 'Product')) ?? null,
    productByIdentifier: byIdentifier,
    products: (_parent: unknown, args: ListArgs, context) =>
      connectionOf(findProducts(context, args), args, (product) => product.id),
    productsCount: (_parent: unknown, args: ListArgs, context) =>
      countOf(findProducts(context, args).length, args.limit),
  },
  Product: fieldsOf<ProductRecord>({
    id: ({ id }) => gid('Product', id),
    legacyResourceId: ({ id }) => id,
    category: () => null,
    description: ({ description }, args: { truncateAt?: number | null }) =>
      description.slice(0, args.truncateAt ?? undefined),
    descriptionHtml: ({ description }) => `<p>${description}</p>`,
    featuredImage: (product) => imageOf(product.asset, product.title),
    featuredMedia: (product) => mediaOf(product, product.title),
    feedback: () => null,
    hasOnlyDefaultVariant: () => false,
    hasOutOfStockVariants: (product, _args, context) =>
      variantsOf(product, context).some(({ inventoryQuantity }) => inventoryQuantity <= 0),
    images: (product, args: ConnectionArgs) =>
      connectionOf(imagesOfProduct(product), args, (image) => image.asset),
    isGiftCard: () => false,
    media: (product, args: ConnectionArgs) =>
      connectionOf([mediaOf(product, product.title)], args, (media) => media.id),
    onlineStorePreviewUrl: ({ handle }, _args, { store }) => `${store.storefrontUrl}/products/${handle}`,
    onlineStoreUrl: ({ handle, status }, _args, { store }) =>
      status === 'ACTIVE' ? `${store.storefrontUrl}/products/${handle}` : null,
    options: (product, args: { first?: number | null }, context) =>
      optionsOf(product, context).slice(0, args.first ?? undefined),
    priceRangeV2: (product, _args, context) => priceRange(product, context),
    publishedAt: ({ status, createdAt }) => (status === 'ACTIVE' ? createdAt : null),
    requiresSellingPlan: () => false,
    sellingPlanGroups: (product, args: ConnectionArgs, context) =>
      connectionOf(groupsOfProduct(product, context), args, (group) => group.id),
    sellingPlanGroupsCount: (product, _args, context) => countOf(groupsOfProduct(product, context).length),
    seo: () => ({ title: null, description: null }),
    templateSuffix: () => null,
    totalInventory: (product, _args, context) =>
      variantsOf(product, context).reduce((sum, { inventoryQuantity }) => sum + inventoryQuantity, 0),
    totalVariants: (product, _args, context) => variantsOf(product, context).length,
    tracksInventory: () => true,
    translations: () => [],
    variants: (product, args: ConnectionArgs, context) =>
      connectionOf(variantsOf(product, context), args, (variant) => variant.id),
    variantsCount: (product, _args, context) => countOf(variantsOf(product, context).length),
  }),
};
