/** The options in one page of the platform's answer, each with the place that comes after it. */
import type { Path } from '../../compile/result-error.ts';
import type { Position } from './position.ts';

type Json = Readonly<Record<string, unknown>>;
type Ids = { readonly nodes: readonly { readonly id: string }[] };
type Page<Node> = {
  readonly pageInfo: { readonly hasNextPage: boolean };
  readonly edges: readonly { readonly cursor: string; readonly node: Node }[];
};

type ProductFacts = {
  readonly _svcId: string;
  readonly _svcStatus: string;
  readonly _svcGroups: Ids;
};
type VariantNode = Json & {
  readonly _svcId: string;
  readonly _svcPrice: string;
  readonly _svcForSale: boolean;
  readonly _svcGroups: Ids;
};
type Product = ProductFacts & { readonly _svcVariants: Page<VariantNode> } & Json;
type LooseVariant = VariantNode & { readonly _svcProduct: ProductFacts };

/** The platform's answer for one page; each part is there if the place asks for it. */
export type OptionsAnswer = {
  readonly _svcGroup: {
    readonly _svcLoose: { readonly count: number } | null;
    /** Whether the product that the place names is in the group. */
    readonly _svcApplies?: boolean;
    readonly _svcProducts?: Page<Product>;
    readonly _svcVariants?: Page<LooseVariant> & Json;
  } | null;
  readonly _svcProduct?: Product | null;
};

export type OptionRow = {
  readonly variant: VariantNode;
  /** The variant's path in the answer, and in the connections beside it that hold the same variants. */
  readonly pathIn: (connection: string) => Path;
  /** The variant's node in a connection, which is named beside the one that holds it. */
  readonly nodeIn: (connection: string) => unknown;
  readonly next: Position;
};

/** The rows of a page, and the place after them; undefined: the group is through. */
export type OptionRows = { readonly rows: readonly OptionRow[]; readonly next: Position | undefined };

export type Scope = {
  readonly position: Position;
  /** The groups that come before this one, whose variants have been listed. */
  readonly earlier: ReadonlySet<string>;
  /** The variant that is to be swapped, which is no option. */
  readonly except: string | undefined;
};

export const VARIANTS = '_svcVariants';

/** The rows of a page. Products that are not active, and what has been listed before, are left out. */
export function rowsOf(answer: OptionsAnswer, scope: Scope): OptionRows {
  const { kind } = scope.position;
  const listed =
    kind === 'products'
      ? ofProducts(answer, scope)
      : kind === 'product'
        ? ofProduct(answer, scope)
        : ofVariants(answer, scope);
  const isNew = ({ variant }: OptionRow) =>
    variant._svcId !== scope.except && !isListed(variant._svcGroups, scope.earlier);
  return { ...listed, rows: listed.rows.filter(isNew) };
}

/** Whether a product of the group is listed there: it is active, and no earlier group has listed it. */
export function isOffered(product: ProductFacts, earlier: Scope['earlier']): boolean {
  return product._svcStatus === 'ACTIVE' && !isListed(product._svcGroups, earlier);
}

function isListed({ nodes }: Ids, groups: ReadonlySet<string>): boolean {
  return nodes.some(({ id }) => groups.has(id));
}

function ofProducts({ _svcGroup: group }: OptionsAnswer, { position, earlier }: Scope): OptionRows {
  const page = group?._svcProducts;
  const rows: OptionRow[] = [];
  for (const [index, { cursor, node }] of (page?.edges ?? []).entries()) {
    if (!isOffered(node, earlier)) continue;
    const path = ['_svcGroup', '_svcProducts', 'edges', index, 'node'];
    const inside = { kind: 'product', group: position.group, product: node._svcId, back: cursor } as const;
    const behind = { kind: 'products', group: position.group, after: cursor } as const;
    const variants = variantsOf(node, path, { inside, behind });
    rows.push(...variants);
    // The variants beyond the first ones come before the next product.
    if (node._svcVariants.pageInfo.hasNextPage) return { rows, next: variants.at(-1)?.next ?? behind };
  }
  const last = page?.edges.at(-1);
  if (page?.pageInfo.hasNextPage && last) {
    return { rows, next: { kind: 'products', group: position.group, after: last.cursor } };
  }
  const hasLoose = (group?._svcLoose?.count ?? 0) > 0;
  return { rows, next: hasLoose ? { kind: 'variants', group: position.group, after: null } : undefined };
}

function ofProduct({ _svcProduct: product }: OptionsAnswer, { position }: Scope): OptionRows {
  if (position.kind !== 'product') return { rows: [], next: undefined };
  const behind = { kind: 'products', group: position.group, after: position.back } as const;
  if (!product) return { rows: [], next: behind };
  const rows = variantsOf(product, ['_svcProduct'], { inside: position, behind });
  return { rows, next: rows.at(-1)?.next ?? behind };
}

type Around = {
  readonly inside: Omit<Extract<Position, { kind: 'product' }>, 'after'>;
  readonly behind: Position;
};

function variantsOf(product: Product, path: Path, { inside, behind }: Around): OptionRow[] {
  const { edges, pageInfo } = product._svcVariants;
  return edges.map(({ cursor, node }, index) => {
    const isLast = index === edges.length - 1 && !pageInfo.hasNextPage;
    return toRow(product, { path, index, node }, isLast ? behind : { ...inside, after: cursor });
  });
}

function ofVariants({ _svcGroup: group }: OptionsAnswer, { position, earlier }: Scope): OptionRows {
  const page = group?._svcVariants;
  const known = new Set([...earlier, position.group]);
  const after = (cursor: string) => ({ kind: 'variants', group: position.group, after: cursor }) as const;
  const rows = (page?.edges ?? []).flatMap(({ cursor, node }, index) => {
    if (!isOffered(node._svcProduct, known)) return [];
    return [toRow(group ?? {}, { path: ['_svcGroup'], index, node }, after(cursor))];
  });
  const last = page?.edges.at(-1);
  return { rows, next: page?.pageInfo.hasNextPage && last ? after(last.cursor) : undefined };
}

type Found = { readonly path: Path; readonly index: number; readonly node: VariantNode };

function toRow(holder: object, { path, index, node }: Found, next: Position): OptionRow {
  return {
    variant: node,
    pathIn: (connection) => [...path, connection, 'edges', index, 'node'],
    nodeIn: (connection) =>
      (holder as Record<string, Page<unknown> | undefined>)[connection]?.edges[index]?.node,
    next,
  };
}
