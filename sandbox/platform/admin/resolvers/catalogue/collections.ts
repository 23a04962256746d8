/**
 * Smart collections: one for each type of product. Nothing of them is stored, so products that are added or changed are in
 * the right one at once. Where a collection is published does not behave.
 */
import type { ProductRecord } from '../../../state/catalogue-records.ts';
import { type AdminContext, fieldsOf, type ResolverMap } from '../../context.ts';
import { countOf } from '../../cost/counts.ts';
import { gid, numberOf } from '../../gid.ts';
import { type ConnectionArgs, connectionOf } from '../../lists/connections.ts';
import { type SearchFields, searchTest } from '../../lists/search.ts';
import { sortedBy } from '../../lists/sorting.ts';
import { imageOf } from './images.ts';

export type CollectionView = {
  __typename: 'Collection';
  /** The number of the first product. */
  id: number;
  title: string;
  handle: string;
  /** By their numbers. */
  products: readonly ProductRecord[];
};

/** The collections of the store, by their numbers. */
export function collectionsOf({ store }: Pick<AdminContext, 'store'>): CollectionView[] {
  const products = sortedBy(store.products.values(), ({ id }) => id);
  return [...Map.groupBy(products, ({ productType }) => productType)].map(([title, members]) => ({
    __typename: 'Collection',
    id: members[0]?.id ?? 0,
    title,
    handle: title.toLowerCase().replaceAll(' ', '-'),
    products: members,
  }));
}

const searchFields: SearchFields<CollectionView> = {
  handle: { kind: 'text', of: ({ handle }) => handle },
  id: { kind: 'number', of: ({ id }) => id },
  product_id: { kind: 'number', of: ({ products }) => products.map(({ id }) => id) },
  title: { kind: 'text', of: ({ title }) => title },
  updated_at: { kind: 'instant', of: updatedAt },
};

function updatedAt({ products }: CollectionView): string {
  return sortedBy(products, (product) => product.updatedAt).at(-1)?.updatedAt ?? '';
}

type ListArgs = ConnectionArgs & { query?: string | null; sortKey?: string | null; limit?: number | null };

function findCollections(
  collections: readonly CollectionView[],
  { query, sortKey }: ListArgs,
): CollectionView[] {
  const keyOf = { TITLE: ({ title }: CollectionView) => title, UPDATED_AT: updatedAt }[sortKey ?? ''];
  const test = searchTest(query, searchFields, ({ title }) => title);
  return sortedBy(collections, keyOf ?? (({ id }) => id)).filter(test);
}

type Identifier = { id?: string; handle?: string; customId?: unknown };

function byIdentifier({ id, handle }: Identifier, context: AdminContext): CollectionView | null {
  const number = id === undefined ? undefined : numberOf(id, 'Collection');
  const all = collectionsOf(context);
  return all.find((one) => (number === undefined ? one.handle === handle : one.id === number)) ?? null;
}

const PRODUCT_KEYS: Record<string, (product: ProductRecord) => string | number> = {
  CREATED: ({ createdAt }) => createdAt,
  ID: ({ id }) => id,
};

export const collectionResolvers: ResolverMap = {
  QueryRoot: {
    collection: (_parent: unknown, { id }: { id: string }, context) => byIdentifier({ id }, context),
    collectionByHandle: (_parent: unknown, { handle }: { handle: string }, context) =>
      byIdentifier({ handle }, context),
    collectionByIdentifier: (_parent: unknown, { identifier }: { identifier: Identifier }, context) =>
      byIdentifier(identifier, context),
    collections: (_parent: unknown, args: ListArgs, context) =>
      connectionOf(findCollections(collectionsOf(context), args), args, ({ id }) => id),
    collectionsCount: (_parent: unknown, args: ListArgs, context) =>
      countOf(findCollections(collectionsOf(context), args).length, args.limit),
  },
  Product: fieldsOf<ProductRecord>({
    collections: (product, args: ListArgs, context) => {
      const own = collectionsOf(context).filter(({ products }) => products.includes(product));
      return connectionOf(findCollections(own, args), args, ({ id }) => id);
    },
  }),
  Collection: fieldsOf<CollectionView>({
    id: ({ id }) => gid('Collection', id),
    legacyResourceId: ({ id }) => id,
    storefrontId: ({ id }) => gid('Collection', id),
    description: ({ title }, { truncateAt }: { truncateAt?: number | null }) =>
      `All of our ${title.toLowerCase()}.`.slice(0, truncateAt ?? undefined),
    descriptionHtml: ({ title }) => `<p>All of our ${title.toLowerCase()}.</p>`,
    feedback: () => null,
    hasProduct: ({ products }, { id }: { id: string }) =>
      products.some((product) => product.id === numberOf(id, 'Product')),
    image: ({ products, title }) => imageOf(products[0]?.asset ?? null, title),
    products: ({ products }, args: ListArgs) =>
      connectionOf(
        sortedBy(products, PRODUCT_KEYS[args.sortKey ?? ''] ?? (({ title }) => title)),
        args,
        ({ id }) => id,
      ),
    productsCount: ({ products }) => countOf(products.length),
    ruleSet: ({ title }) => ({
      appliedDisjunctively: false,
      rules: [{ column: 'TYPE', relation: 'EQUALS', condition: title }],
    }),
    seo: () => ({ title: null, description: null }),
    sortOrder: () => 'ALPHA_ASC',
    templateSuffix: () => null,
    translations: () => [],
    updatedAt,
  }),
};
