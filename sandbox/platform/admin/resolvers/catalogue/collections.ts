/**
 * Smart collections, one for each product type. They are computed, so added and changed products are immediately in the
 * right collection. Publications are not emulated.
 */
import type { ProductRecord } from '../../../state/catalogue-records.ts';
import { type AdminContext, type ResolverMap, typeResolvers } from '../../context.ts';
import { toCountView } from '../../cost/counts.ts';
import { formatGid, requireGidNumber } from '../../gid.ts';
import { type ConnectionArgs, createConnection } from '../../lists/connections.ts';
import { createSearchTest, type SearchFields } from '../../lists/search.ts';
import { sortByKey } from '../../lists/sorting.ts';
import { toImageView } from './images.ts';

export type CollectionView = {
  __typename: 'Collection';
  /** The id of its first product. */
  id: number;
  title: string;
  handle: string;
  /** The products, by their ids. */
  products: readonly ProductRecord[];
};

/** Returns the store's collections, by id. */
export function listCollections({ store }: Pick<AdminContext, 'store'>): CollectionView[] {
  const products = sortByKey(store.products.values(), ({ id }) => id);
  return [...Map.groupBy(products, ({ productType }) => productType)].map(([title, productsOfType]) => ({
    __typename: 'Collection',
    id: productsOfType[0]?.id ?? 0,
    title,
    handle: title.toLowerCase().replaceAll(' ', '-'),
    products: productsOfType,
  }));
}

const COLLECTION_SEARCH_FIELDS: SearchFields<CollectionView> = {
  handle: { kind: 'text', of: ({ handle }) => handle },
  id: { kind: 'number', of: ({ id }) => id },
  product_id: { kind: 'number', of: ({ products }) => products.map(({ id }) => id) },
  title: { kind: 'text', of: ({ title }) => title },
  updated_at: { kind: 'instant', of: findLastProductUpdate },
};

function findLastProductUpdate({ products }: CollectionView): string {
  return sortByKey(products, (product) => product.updatedAt).at(-1)?.updatedAt ?? '';
}

type CollectionListArgs = ConnectionArgs & {
  query?: string | null;
  sortKey?: string | null;
  limit?: number | null;
};

function findCollections(
  collections: readonly CollectionView[],
  { query, sortKey }: CollectionListArgs,
): CollectionView[] {
  const keyOf = { TITLE: ({ title }: CollectionView) => title, UPDATED_AT: findLastProductUpdate }[
    sortKey ?? ''
  ];
  const matchesQuery = createSearchTest(query, COLLECTION_SEARCH_FIELDS, ({ title }) => title);
  return sortByKey(collections, keyOf ?? (({ id }) => id)).filter(matchesQuery);
}

type CollectionIdentifier = { id?: string; handle?: string; customId?: unknown };

function resolveCollectionByIdentifier(
  { id, handle }: CollectionIdentifier,
  context: AdminContext,
): CollectionView | null {
  const collectionNumber = id === undefined ? undefined : requireGidNumber(id, 'Collection');
  const collections = listCollections(context);
  return (
    collections.find((collection) =>
      collectionNumber === undefined ? collection.handle === handle : collection.id === collectionNumber,
    ) ?? null
  );
}

const PRODUCT_SORT_KEYS: Record<string, (product: ProductRecord) => string | number> = {
  CREATED: ({ createdAt }) => createdAt,
  ID: ({ id }) => id,
};

export const collectionResolvers: ResolverMap = {
  QueryRoot: {
    collection: (_parent: unknown, { id }: { id: string }, context) =>
      resolveCollectionByIdentifier({ id }, context),
    collectionByHandle: (_parent: unknown, { handle }: { handle: string }, context) =>
      resolveCollectionByIdentifier({ handle }, context),
    collectionByIdentifier: (
      _parent: unknown,
      { identifier }: { identifier: CollectionIdentifier },
      context,
    ) => resolveCollectionByIdentifier(identifier, context),
    collections: (_parent: unknown, args: CollectionListArgs, context) =>
      createConnection(findCollections(listCollections(context), args), args, ({ id }) => id),
    collectionsCount: (_parent: unknown, args: CollectionListArgs, context) =>
      toCountView(findCollections(listCollections(context), args).length, args.limit),
  },
  Product: typeResolvers<ProductRecord>({
    collections: (product, args: CollectionListArgs, context) => {
      const collectionsOfProduct = listCollections(context).filter(({ products }) =>
        products.includes(product),
      );
      return createConnection(findCollections(collectionsOfProduct, args), args, ({ id }) => id);
    },
  }),
  Collection: typeResolvers<CollectionView>({
    id: ({ id }) => formatGid('Collection', id),
    legacyResourceId: ({ id }) => id,
    storefrontId: ({ id }) => formatGid('Collection', id),
    description: ({ title }, { truncateAt }: { truncateAt?: number | null }) =>
      `All of our ${title.toLowerCase()}.`.slice(0, truncateAt ?? undefined),
    descriptionHtml: ({ title }) => `<p>All of our ${title.toLowerCase()}.</p>`,
    feedback: () => null,
    hasProduct: ({ products }, { id }: { id: string }) =>
      products.some((product) => product.id === requireGidNumber(id, 'Product')),
    image: ({ products, title }) => toImageView(products[0]?.asset ?? null, title),
    products: ({ products }, args: CollectionListArgs) =>
      createConnection(
        sortByKey(products, PRODUCT_SORT_KEYS[args.sortKey ?? ''] ?? (({ title }) => title)),
        args,
        ({ id }) => id,
      ),
    productsCount: ({ products }) => toCountView(products.length),
    ruleSet: ({ title }) => ({
      appliedDisjunctively: false,
      rules: [{ column: 'TYPE', relation: 'EQUALS', condition: title }],
    }),
    seo: () => ({ title: null, description: null }),
    sortOrder: () => 'ALPHA_ASC',
    templateSuffix: () => null,
    translations: () => [],
    updatedAt: findLastProductUpdate,
  }),
};
