/** The options in one page of the platform's response, in the order in which the list is walked. */
import type { ResponsePath } from '../../plan/result-error.ts';
import {
  FIRST_VARIANT_FLAG,
  LAST_VARIANT_FLAG,
  type OptionListPoint,
  type ReadPosition,
} from './position.ts';

type JsonObject = Readonly<Record<string, unknown>>;
type IdNodes = { readonly nodes: readonly { readonly id: string }[] };
type PlatformPage<Node> = {
  readonly pageInfo: { readonly hasNextPage: boolean; readonly hasPreviousPage: boolean };
  readonly edges: readonly { readonly cursor: string; readonly node: Node }[];
};

type ProductFacts = {
  readonly _svcId: string;
  readonly _svcStatus: string;
  readonly _svcGroups: IdNodes;
};
type VariantNode = JsonObject & {
  readonly _svcId: string;
  readonly _svcPrice: string;
  readonly _svcForSale: boolean;
  readonly _svcGroups: IdNodes;
};
type ProductNode = ProductFacts & { readonly _svcVariants: PlatformPage<VariantNode> } & JsonObject;
type SeparatelyJoinedVariant = VariantNode & { readonly _svcProduct: ProductFacts };

/** The platform's response for one page. It has the parts that the position needs. */
export type VariantOptionsPageResponse = {
  readonly _svcGroup: {
    readonly _svcLoose: { readonly count: number } | null;
    /** Whether the position's product is in the group. */
    readonly _svcApplies?: boolean;
    readonly _svcProducts?: PlatformPage<ProductNode>;
    readonly _svcVariants?: PlatformPage<SeparatelyJoinedVariant> & JsonObject;
  } | null;
  readonly _svcProduct?: ProductNode | null;
};

export type OptionRow = {
  readonly variant: VariantNode;
  /** Returns the variant's path in the response, as an item of this connection. Several connections list the same variants. */
  readonly pathIn: (connection: string) => ResponsePath;
  /** Returns the variant as an item of this connection of the response. */
  readonly nodeIn: (connection: string) => unknown;
  readonly point: OptionListPoint;
};

/** The rows of a page, and the point from which the walk continues, or undefined at the end of the group. */
export type OptionRowsPage = {
  readonly rows: readonly OptionRow[];
  readonly nextPoint: OptionListPoint | undefined;
};

export type OptionPageFilter = {
  readonly position: ReadPosition;
  /** The groups before this one, whose variants are already listed. */
  readonly earlierGroupIds: ReadonlySet<string>;
  /** The variant that the line has now, which is not listed as an option. */
  readonly currentVariantId: string | undefined;
  /** Only variants in no other groups are options; undefined when other groups do not matter. */
  readonly allowedGroupIds: ReadonlySet<string> | undefined;
};

export const VARIANTS_KEY = '_svcVariants';

/** Returns the rows of a page, without inactive products and variants that are already listed. */
export function toOptionRows(
  optionsPage: VariantOptionsPageResponse,
  scope: OptionPageFilter,
): OptionRowsPage {
  const { kind } = scope.position;
  const unfilteredPage =
    kind === 'products'
      ? toRowsOfProducts(optionsPage, scope)
      : kind === 'product'
        ? toRowsOfProduct(optionsPage, scope)
        : toRowsOfVariants(optionsPage, scope);
  const isNotYetListed = ({ variant }: OptionRow) =>
    variant._svcId !== scope.currentVariantId &&
    !isInAnyGroup(variant._svcGroups, scope.earlierGroupIds) &&
    variant._svcGroups.nodes.every(({ id }) => scope.allowedGroupIds?.has(id) ?? true);
  return { ...unfilteredPage, rows: unfilteredPage.rows.filter(isNotYetListed) };
}

/** Whether the group's options contain its product: it is active, and not in an earlier group, which contains it then. */
export function isListedProduct(
  product: ProductFacts,
  earlierGroupIds: OptionPageFilter['earlierGroupIds'],
): boolean {
  return product._svcStatus === 'ACTIVE' && !isInAnyGroup(product._svcGroups, earlierGroupIds);
}

function isInAnyGroup({ nodes }: IdNodes, groups: ReadonlySet<string>): boolean {
  return nodes.some(({ id }) => groups.has(id));
}

function toRowsOfProducts(
  { _svcGroup: groupNode }: VariantOptionsPageResponse,
  { position, earlierGroupIds }: OptionPageFilter,
): OptionRowsPage {
  const { isBackward } = position;
  const productsPage = groupNode?._svcProducts;
  const optionRows: OptionRow[] = [];
  const productEdges = orderEdges(productsPage?.edges, isBackward);
  const pointAt = (cursor: string | null) => ({ kind: 'products', group: position.group, cursor }) as const;
  for (const { index, cursor, node } of productEdges) {
    if (!isListedProduct(node, earlierGroupIds)) continue;
    const path = ['_svcGroup', '_svcProducts', 'edges', index, 'node'];
    const variants = toRowsOfProductVariants(node, path, { position, productCursor: cursor });
    optionRows.push(...variants);
    // The other variants of the product come before the next product.
    if (hasFurtherPage(node._svcVariants, isBackward))
      return { rows: optionRows, nextPoint: variants.at(-1)?.point ?? pointAt(cursor) };
  }
  const lastEdge = productEdges.at(-1);
  if (hasFurtherPage(productsPage, isBackward) && lastEdge)
    return { rows: optionRows, nextPoint: pointAt(lastEdge.cursor) };
  const hasLooseVariants = !isBackward && (groupNode?._svcLoose?.count ?? 0) > 0;
  return {
    rows: optionRows,
    nextPoint: hasLooseVariants ? { kind: 'variants', group: position.group, cursor: null } : undefined,
  };
}

function toRowsOfProduct(
  { _svcProduct: product }: VariantOptionsPageResponse,
  { position }: OptionPageFilter,
): OptionRowsPage {
  if (position.kind !== 'product') return { rows: [], nextPoint: undefined };
  const { group, productCursor: back } = position;
  const rows = product
    ? toRowsOfProductVariants(product, ['_svcProduct'], { position, productCursor: back })
    : [];
  return { rows, nextPoint: rows.at(-1)?.point ?? { kind: 'products', group, cursor: back } };
}

/** `productCursor`: the product's cursor in the group. */
type ProductPosition = { readonly position: ReadPosition; readonly productCursor: string };

function toRowsOfProductVariants(
  product: ProductNode,
  path: ResponsePath,
  { position, productCursor: back }: ProductPosition,
): OptionRow[] {
  const { edges, pageInfo } = product._svcVariants;
  const { group, isBackward } = position;
  return orderEdges(edges, isBackward).map(({ index, cursor, node }) => {
    const isFirstVariant = index === 0 && !pageInfo.hasPreviousPage;
    const isLastVariant = index === edges.length - 1 && !pageInfo.hasNextPage;
    const ends = (isFirstVariant ? FIRST_VARIANT_FLAG : 0) + (isLastVariant ? LAST_VARIANT_FLAG : 0);
    const productPoint = {
      kind: 'product',
      group,
      cursor,
      product: product._svcId,
      productCursor: back,
      ends,
    } as const;
    return toOptionRow(product, { path, index, node }, productPoint);
  });
}

function toRowsOfVariants(
  { _svcGroup: groupNode }: VariantOptionsPageResponse,
  { position, earlierGroupIds }: OptionPageFilter,
): OptionRowsPage {
  const { isBackward } = position;
  const groupVariantsPage = groupNode?._svcVariants;
  const excludedGroupIds = new Set([...earlierGroupIds, position.group]);
  const pointAt = (cursor: string | null) => ({ kind: 'variants', group: position.group, cursor }) as const;
  const variantEdges = orderEdges(groupVariantsPage?.edges, isBackward);
  const optionRows = variantEdges.flatMap(({ index, cursor, node }) => {
    if (!isListedProduct(node._svcProduct, excludedGroupIds)) return [];
    return [toOptionRow(groupNode ?? {}, { path: ['_svcGroup'], index, node }, pointAt(cursor))];
  });
  const lastEdge = variantEdges.at(-1);
  if (hasFurtherPage(groupVariantsPage, isBackward) && lastEdge)
    return { rows: optionRows, nextPoint: pointAt(lastEdge.cursor) };
  return { rows: optionRows, nextPoint: isBackward ? pointAt(null) : undefined };
}

type PageEdges<Node> = PlatformPage<Node>['edges'];

/** Returns the edges in the order of the walk, each with its index in the response. */
function orderEdges<Node>(edges: PageEdges<Node> = [], isBackward: boolean) {
  const indexedEdges = edges.map((edge, index) => ({ ...edge, index }));
  return isBackward ? indexedEdges.reverse() : indexedEdges;
}

function hasFurtherPage(
  page: Pick<PlatformPage<unknown>, 'pageInfo'> | undefined,
  isBackward: boolean,
): boolean {
  return (isBackward ? page?.pageInfo.hasPreviousPage : page?.pageInfo.hasNextPage) === true;
}

type FoundVariant = { readonly path: ResponsePath; readonly index: number; readonly node: VariantNode };

function toOptionRow(
  parentObject: object,
  { path, index, node }: FoundVariant,
  point: OptionListPoint,
): OptionRow {
  return {
    variant: node,
    pathIn: (connection) => [...path, connection, 'edges', index, 'node'],
    nodeIn: (connection) =>
      (parentObject as Record<string, PlatformPage<unknown> | undefined>)[connection]?.edges[index]?.node,
    point,
  };
}
