/** Variants of products: what a line buys. */
import type { VariantRecord } from '../../../state/catalogue-records.ts';
import { type AdminContext, fieldsOf, type ResolverMap } from '../../context.ts';
import { countOf } from '../../cost/counts.ts';
import { gid, numberOf } from '../../gid.ts';
import { type ConnectionArgs, connectionOf } from '../../lists/connections.ts';
import { type SearchFields, searchTest } from '../../lists/search.ts';
import { sortedBy } from '../../lists/sorting.ts';
import { moneyScalar } from '../../money.ts';
import { imageOf } from './images.ts';
import { mediaOf } from './products.ts';
import { groupsOfVariant } from './selling-plan-membership.ts';

const searchFields: SearchFields<VariantRecord> = {
  id: { kind: 'number', of: (variant) => variant.id },
  product_id: { kind: 'number', of: (variant) => variant.productId },
  sku: { kind: 'text', of: (variant) => variant.sku },
  title: { kind: 'text', of: (variant) => variant.title },
  inventory_quantity: { kind: 'number', of: (variant) => variant.inventoryQuantity },
  updated_at: { kind: 'instant', of: (variant) => variant.updatedAt },
};

const sortKeys: Record<string, (variant: VariantRecord) => string | number> = {
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

type ListArgs = ConnectionArgs & { query?: string | null; sortKey?: string | null };

export const variantResolvers: ResolverMap = {
  QueryRoot: {
    productVariant: (_parent: unknown, args: { id: string }, { store }) =>
      store.variants.get(numberOf(args.id, 'ProductVariant')) ?? null,
    productVariants: (_parent: unknown, args: ListArgs, { store }) => {
      const test = searchTest(args.query, searchFields, ({ title, sku }) => `${title} ${sku}`);
      const sorted = sortedBy(
        store.variants.values(),
        sortKeys[args.sortKey ?? 'ID'] ?? ((variant) => variant.id),
      );
      return connectionOf(sorted.filter(test), args, (variant) => variant.id);
    },
  },
  ProductVariant: fieldsOf<VariantRecord>({
    id: ({ id }) => gid('ProductVariant', id),
    legacyResourceId: ({ id }) => id,
    availableForSale: (variant, _args, context) => isForSale(variant, context),
    barcode: () => null,
    compareAtPrice: ({ compareAtPriceMinor }, _args, { store }) =>
      compareAtPriceMinor === null ? null : moneyScalar(compareAtPriceMinor, store.currencyCode),
    displayName: ({ productId, title }, _args, { store }) =>
      `${store.products.get(productId)?.title} - ${title}`,
    image: ({ asset, productId }, _args, { store }) =>
      imageOf(asset, store.products.get(productId)?.title ?? ''),
    inventoryItem: ({ id, sku, requiresShipping, createdAt, updatedAt }) => ({
      __typename: 'InventoryItem',
      id: gid('InventoryItem', id),
      legacyResourceId: id,
      requiresShipping,
      sku,
      tracked: true,
      createdAt,
      updatedAt,
    }),
    media: (variant, args: ConnectionArgs, { store }) =>
      connectionOf(
        [mediaOf(variant, store.products.get(variant.productId)?.title ?? '')],
        args,
        (media) => media.id,
      ),
    price: ({ priceMinor }, _args, { store }) => moneyScalar(priceMinor, store.currencyCode),
    product: ({ productId }, _args, { store }) => store.products.get(productId),
    requiresComponents: () => false,
    selectedOptions: ({ productId, title }, _args, { store }) => [
      { name: store.products.get(productId)?.optionName ?? 'Title', value: title },
    ],
    sellableOnlineQuantity: ({ inventoryQuantity }) => inventoryQuantity,
    sellingPlanGroups: (variant, args: ConnectionArgs, context) =>
      connectionOf(groupsOfVariant(variant, context), args, (group) => group.id),
    sellingPlanGroupsCount: (variant, _args, context) => countOf(groupsOfVariant(variant, context).length),
    translations: () => [],
    unitPrice: () => null,
    unitPriceMeasurement: () => null,
  }),
};
