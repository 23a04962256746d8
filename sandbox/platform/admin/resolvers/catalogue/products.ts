/** Reads and lists products and variants. */
import type { ProductRecord, VariantRecord } from '../../../state/catalogue-records.ts';
import { type AdminContext, type ResolverMap, typeResolvers } from '../../context.ts';
import { toCountView } from '../../cost/counts.ts';
import { formatGid, requireGidNumber } from '../../gid.ts';
import { type ConnectionArgs, createConnection } from '../../lists/connections.ts';
import { createSearchTest, type SearchFields } from '../../lists/search.ts';
import { sortByKey } from '../../lists/sorting.ts';
import { toMoneyV2 } from '../../money.ts';
import { toImageView } from './images.ts';
import { listGroupsOfProduct } from './selling-plan-membership.ts';

const PRODUCT_SEARCH_FIELDS: SearchFields<ProductRecord> = {
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

const PRODUCT_SORT_KEYS: Record<string, (product: ProductRecord) => string | number> = {
  CREATED_AT: (product) => product.createdAt,
  PUBLISHED_AT: (product) => product.createdAt,
  UPDATED_AT: (product) => product.updatedAt,
  TITLE: (product) => product.title,
  PRODUCT_TYPE: (product) => product.productType,
  VENDOR: (product) => product.vendor,
};

type ProductListArgs = ConnectionArgs & {
  query?: string | null;
  sortKey?: string | null;
  limit?: number | null;
};

function findProducts({ store }: AdminContext, args: ProductListArgs): ProductRecord[] {
  const matchesQuery = createSearchTest(
    args.query,
    PRODUCT_SEARCH_FIELDS,
    ({ title, vendor }) => `${title} ${vendor}`,
  );
  return sortByKey(
    store.products.values(),
    PRODUCT_SORT_KEYS[args.sortKey ?? 'ID'] ?? ((product) => product.id),
  ).filter(matchesQuery);
}

/** Returns a product's variants, by position. */
function listVariants(product: ProductRecord, { store }: AdminContext): VariantRecord[] {
  return sortByKey(store.variants.values(), ({ position }) => position).filter(
    ({ productId }) => productId === product.id,
  );
}

type ProductIdentifier = { id?: string; handle?: string; customId?: unknown };

function resolveProductByIdentifier(
  _parent: unknown,
  { identifier }: { identifier: ProductIdentifier },
  { store }: AdminContext,
) {
  if (identifier.id !== undefined)
    return store.products.get(requireGidNumber(identifier.id, 'Product')) ?? null;
  return [...store.products.values()].find(({ handle }) => handle === identifier.handle) ?? null;
}

function toPriceRange(product: ProductRecord, context: AdminContext) {
  const prices = listVariants(product, context).map(({ priceMinor }) => priceMinor);
  const { currencyCode } = context.store;
  return {
    minVariantPrice: toMoneyV2(Math.min(...prices), currencyCode),
    maxVariantPrice: toMoneyV2(Math.max(...prices), currencyCode),
  };
}

function toProductOptions(product: ProductRecord, context: AdminContext) {
  const valueNames = listVariants(product, context).map(({ title }) => title);
  return [
    {
      __typename: 'ProductOption',
      id: formatGid('ProductOption', product.id),
      name: product.optionName,
      position: 1,
      values: valueNames,
      optionValues: valueNames.map((name, index) => ({
        __typename: 'ProductOptionValue',
        id: formatGid('ProductOptionValue', `${product.id}${index}`),
        name,
        hasVariants: true,
      })),
    },
  ];
}

/** Returns the image of a product or variant as a MediaImage, with the same id number. */
export function toMediaImage(record: ProductRecord | VariantRecord, altText: string) {
  const { asset, id, createdAt, updatedAt } = record;
  const imageView = toImageView(asset, altText);
  return {
    __typename: 'MediaImage',
    id: formatGid('MediaImage', id),
    alt: altText,
    createdAt,
    image: imageView,
    mediaContentType: 'IMAGE',
    mimeType: 'image/svg+xml',
    preview: { image: imageView, status: 'READY' },
    status: 'READY',
    updatedAt,
  };
}

function listProductImages(product: ProductRecord) {
  return [toImageView(product.asset, product.title)].filter((image) => image !== null);
}

export const productResolvers: ResolverMap = {
  QueryRoot: {
    product: (_parent: unknown, args: { id: string }, { store }) =>
      store.products.get(requireGidNumber(args.id, 'Product')) ?? null,
    productByIdentifier: resolveProductByIdentifier,
    products: (_parent: unknown, args: ProductListArgs, context) =>
      createConnection(findProducts(context, args), args, (product) => product.id),
    productsCount: (_parent: unknown, args: ProductListArgs, context) =>
      toCountView(findProducts(context, args).length, args.limit),
  },
  Product: typeResolvers<ProductRecord>({
    id: ({ id }) => formatGid('Product', id),
    legacyResourceId: ({ id }) => id,
    category: () => null,
    description: ({ description }, args: { truncateAt?: number | null }) =>
      description.slice(0, args.truncateAt ?? undefined),
    descriptionHtml: ({ description }) => `<p>${description}</p>`,
    featuredImage: (product) => toImageView(product.asset, product.title),
    featuredMedia: (product) => toMediaImage(product, product.title),
    feedback: () => null,
    hasOnlyDefaultVariant: () => false,
    hasOutOfStockVariants: (product, _args, context) =>
      listVariants(product, context).some(({ inventoryQuantity }) => inventoryQuantity <= 0),
    images: (product, args: ConnectionArgs) =>
      createConnection(listProductImages(product), args, (image) => image.asset),
    isGiftCard: () => false,
    media: (product, args: ConnectionArgs) =>
      createConnection([toMediaImage(product, product.title)], args, (media) => media.id),
    onlineStorePreviewUrl: ({ handle }, _args, { store }) => `${store.storefrontUrl}/products/${handle}`,
    onlineStoreUrl: ({ handle, status }, _args, { store }) =>
      status === 'ACTIVE' ? `${store.storefrontUrl}/products/${handle}` : null,
    options: (product, args: { first?: number | null }, context) =>
      toProductOptions(product, context).slice(0, args.first ?? undefined),
    priceRangeV2: (product, _args, context) => toPriceRange(product, context),
    publishedAt: ({ status, createdAt }) => (status === 'ACTIVE' ? createdAt : null),
    requiresSellingPlan: () => false,
    sellingPlanGroups: (product, args: ConnectionArgs, context) =>
      createConnection(listGroupsOfProduct(product, context), args, (group) => group.id),
    sellingPlanGroupsCount: (product, _args, context) =>
      toCountView(listGroupsOfProduct(product, context).length),
    seo: () => ({ title: null, description: null }),
    templateSuffix: () => null,
    totalInventory: (product, _args, context) =>
      listVariants(product, context).reduce((sum, { inventoryQuantity }) => sum + inventoryQuantity, 0),
    totalVariants: (product, _args, context) => listVariants(product, context).length,
    tracksInventory: () => true,
    translations: () => [],
    variants: (product, args: ConnectionArgs, context) =>
      createConnection(listVariants(product, context), args, (variant) => variant.id),
    variantsCount: (product, _args, context) => toCountView(listVariants(product, context).length),
  }),
};
