/** Reads product variants, to which contract lines refer. */
import type { VariantRecord } from '../../../state/catalogue-records.ts';
import { type AdminContext, type ResolverMap, typeResolvers } from '../../context.ts';
import { toCountView } from '../../cost/counts.ts';
import { formatGid, requireGidNumber } from '../../gid.ts';
import { type ConnectionArgs, createConnection } from '../../lists/connections.ts';
import { createSearchTest, type SearchFields } from '../../lists/search.ts';
import { sortByKey } from '../../lists/sorting.ts';
import { formatMoneyScalar } from '../../money.ts';
import { toImageView } from './images.ts';
import { toMediaImage } from './products.ts';
import { listGroupsOfVariant } from './selling-plan-membership.ts';

const VARIANT_SEARCH_FIELDS: SearchFields<VariantRecord> = {
  id: { kind: 'number', of: (variant) => variant.id },
  product_id: { kind: 'number', of: (variant) => variant.productId },
  sku: { kind: 'text', of: (variant) => variant.sku },
  title: { kind: 'text', of: (variant) => variant.title },
  inventory_quantity: { kind: 'number', of: (variant) => variant.inventoryQuantity },
  updated_at: { kind: 'instant', of: (variant) => variant.updatedAt },
};

const VARIANT_SORT_KEYS: Record<string, (variant: VariantRecord) => string | number> = {
  SKU: (variant) => variant.sku,
  TITLE: (variant) => variant.title,
  POSITION: (variant) => variant.position,
  INVENTORY_QUANTITY: (variant) => variant.inventoryQuantity,
};

/** Whether the variant can be sold now: its product is active and it has stock, or may be oversold. */
function isForSale(variant: VariantRecord, { store }: AdminContext): boolean {
  const inStock = variant.inventoryQuantity > 0 || variant.inventoryPolicy === 'CONTINUE';
  return inStock && store.products.get(variant.productId)?.status === 'ACTIVE';
}

type VariantListArgs = ConnectionArgs & { query?: string | null; sortKey?: string | null };

export const variantResolvers: ResolverMap = {
  QueryRoot: {
    productVariant: (_parent: unknown, args: { id: string }, { store }) =>
      store.variants.get(requireGidNumber(args.id, 'ProductVariant')) ?? null,
    productVariants: (_parent: unknown, args: VariantListArgs, { store }) => {
      const matchesQuery = createSearchTest(
        args.query,
        VARIANT_SEARCH_FIELDS,
        ({ title, sku }) => `${title} ${sku}`,
      );
      const sortedVariants = sortByKey(
        store.variants.values(),
        VARIANT_SORT_KEYS[args.sortKey ?? 'ID'] ?? ((variant) => variant.id),
      );
      return createConnection(sortedVariants.filter(matchesQuery), args, (variant) => variant.id);
    },
  },
  ProductVariant: typeResolvers<VariantRecord>({
    id: ({ id }) => formatGid('ProductVariant', id),
    legacyResourceId: ({ id }) => id,
    availableForSale: (variant, _args, context) => isForSale(variant, context),
    barcode: () => null,
    compareAtPrice: ({ compareAtPriceMinor }, _args, { store }) =>
      compareAtPriceMinor === null ? null : formatMoneyScalar(compareAtPriceMinor, store.currencyCode),
    displayName: ({ productId, title }, _args, { store }) =>
      `${store.products.get(productId)?.title} - ${title}`,
    image: ({ asset, productId }, _args, { store }) =>
      toImageView(asset, store.products.get(productId)?.title ?? ''),
    inventoryItem: ({ id, sku, requiresShipping, createdAt, updatedAt }) => ({
      __typename: 'InventoryItem',
      id: formatGid('InventoryItem', id),
      legacyResourceId: id,
      requiresShipping,
      sku,
      tracked: true,
      createdAt,
      updatedAt,
    }),
    media: (variant, args: ConnectionArgs, { store }) =>
      createConnection(
        [toMediaImage(variant, store.products.get(variant.productId)?.title ?? '')],
        args,
        (media) => media.id,
      ),
    price: ({ priceMinor }, _args, { store }) => formatMoneyScalar(priceMinor, store.currencyCode),
    product: ({ productId }, _args, { store }) => store.products.get(productId),
    requiresComponents: () => false,
    selectedOptions: ({ productId, title }, _args, { store }) => [
      { name: store.products.get(productId)?.optionName ?? 'Title', value: title },
    ],
    sellableOnlineQuantity: ({ inventoryQuantity }) => inventoryQuantity,
    sellingPlanGroups: (variant, args: ConnectionArgs, context) =>
      createConnection(listGroupsOfVariant(variant, context), args, (group) => group.id),
    sellingPlanGroupsCount: (variant, _args, context) =>
      toCountView(listGroupsOfVariant(variant, context).length),
    translations: () => [],
    unitPrice: () => null,
    unitPriceMeasurement: () => null,
  }),
};
