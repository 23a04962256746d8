/**
 * Creates pages of a list with `first`/`after`, `last`/`before` and `reverse`: at most 250 items, with permanent
 * cursors.
 */
import { createApiError } from '../api-error.ts';

export type ConnectionArgs = {
  first?: number | null;
  last?: number | null;
  after?: string | null;
  before?: string | null;
  reverse?: boolean | null;
};

export type Connection<Node> = {
  edges: { cursor: string; node: Node }[];
  nodes: Node[];
  pageInfo: {
    hasNextPage: boolean;
    hasPreviousPage: boolean;
    startCursor: string | null;
    endCursor: string | null;
  };
};

const MAX_PAGE_SIZE = 250;

/**
 * Returns one page of `items`, which are sorted ascending. `keyOf` returns a permanent key of an item. Throws an error
 * of the field for invalid arguments.
 */
export function createConnection<Node>(
  items: readonly Node[],
  args: ConnectionArgs,
  keyOf: (node: Node) => string | number,
): Connection<Node> {
  checkPageSize(args);
  const orderedItems = args.reverse ? items.toReversed() : items;
  const positionOfCursor = (cursor: string) => {
    const text = parseCursor(cursor);
    const numericKey = Number(text);
    const isKey = (key: string | number) => (typeof key === 'number' ? key === numericKey : key === text);
    return toWindowPosition(orderedItems.findIndex((item) => isKey(keyOf(item))));
  };
  const rangeStart = args.after ? positionOfCursor(args.after) + 1 : 0;
  const rangeEnd = args.before ? positionOfCursor(args.before) : orderedItems.length;
  const first = args.first ?? null;
  const pageStart = first === null ? Math.max(rangeStart, rangeEnd - (args.last ?? 0)) : rangeStart;
  const pageEnd =
    first === null
      ? Math.max(pageStart, rangeEnd)
      : Math.min(Math.max(rangeStart, rangeEnd), rangeStart + first);
  const edges = orderedItems
    .slice(pageStart, pageEnd)
    .map((node) => ({ cursor: formatCursor(keyOf(node)), node }));
  return {
    nodes: edges.map(({ node }) => node),
    edges,
    pageInfo: {
      hasNextPage: pageEnd < orderedItems.length,
      hasPreviousPage: pageStart > 0,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
}

/** Returns the page with converted nodes. Omits a node whose conversion is null. */
export function mapConnection<From, To>(
  { edges, pageInfo }: Connection<From>,
  toNode: (node: From) => To | null,
): Connection<To> {
  const mappedEdges = edges.flatMap(({ cursor, node: sourceNode }) => {
    const node = toNode(sourceNode);
    return node === null ? [] : [{ cursor, node }];
  });
  return { nodes: mappedEdges.map(({ node }) => node), edges: mappedEdges, pageInfo };
}

function checkPageSize({ first, last }: ConnectionArgs): void {
  if (first == null && last == null) throw createBadRequestError('you must provide one of first or last');
  if (first != null && last != null)
    throw createBadRequestError('providing both first and last is not supported');
  const size = first ?? last ?? 0;
  const name = first == null ? 'last' : 'first';
  if (size < 0) throw createBadRequestError(`${name} must be a non-negative integer`);
  if (size > MAX_PAGE_SIZE) throw createBadRequestError(`${name} cannot exceed ${MAX_PAGE_SIZE}`);
}

function toWindowPosition(index: number): number {
  if (index === -1) throw createBadRequestError('Invalid cursor for current pagination sort.');
  return index;
}

/** A cursor identifies an item, not its position. It is opaque to clients. */
function formatCursor(key: string | number): string {
  return Buffer.from(`last_id:${key}`).toString('base64url');
}

function parseCursor(cursor: string): string | undefined {
  return /^last_id:(.+)$/s.exec(Buffer.from(cursor, 'base64url').toString())?.[1];
}

function createBadRequestError(message: string): Error {
  return createApiError(message, 'BAD_REQUEST');
}
