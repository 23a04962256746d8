/** Pages of a list: `first`/`after`, `last`/`before`, `reverse`, at most 250 a page, cursors that stay put. */
import { apiError } from '../api-error.ts';

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

const pageLimit = 250;

/** One page of `items`, which are sorted ascending; `keyOf` names an item for good. Bad arguments are errors. */
export function connectionOf<Node>(
  items: readonly Node[],
  args: ConnectionArgs,
  keyOf: (node: Node) => string | number,
): Connection<Node> {
  checkWindow(args);
  const ordered = args.reverse ? items.toReversed() : items;
  const position = (cursor: string) =>
    windowPosition(ordered.findIndex((item) => String(keyOf(item)) === parseCursor(cursor)));
  const from = args.after ? position(args.after) + 1 : 0;
  const to = args.before ? position(args.before) : ordered.length;
  const first = args.first ?? null;
  const start = first === null ? Math.max(from, to - (args.last ?? 0)) : from;
  const end = first === null ? Math.max(start, to) : Math.min(Math.max(from, to), from + first);
  const edges = ordered.slice(start, end).map((node) => ({ cursor: cursorOf(keyOf(node)), node }));
  return {
    nodes: edges.map(({ node }) => node),
    edges,
    pageInfo: {
      hasNextPage: end < ordered.length,
      hasPreviousPage: start > 0,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
}

function checkWindow({ first, last }: ConnectionArgs): void {
  if (first == null && last == null) throw badRequest('you must provide one of first or last');
  if (first != null && last != null) throw badRequest('providing both first and last is not supported');
  const size = first ?? last ?? 0;
  const name = first == null ? 'last' : 'first';
  if (size < 0) throw badRequest(`${name} must be a non-negative integer`);
  if (size > pageLimit) throw badRequest(`${name} cannot exceed ${pageLimit}`);
}

function windowPosition(index: number): number {
  if (index === -1) throw badRequest('Invalid cursor for current pagination sort.');
  return index;
}

/** Cursors are opaque to clients: they name the item, not its place. */
function cursorOf(key: string | number): string {
  return Buffer.from(`last_id:${key}`).toString('base64url');
}

function parseCursor(cursor: string): string | undefined {
  return /^last_id:(.+)$/s.exec(Buffer.from(cursor, 'base64url').toString())?.[1];
}

function badRequest(message: string): Error {
  return apiError(message, 'BAD_REQUEST');
}
