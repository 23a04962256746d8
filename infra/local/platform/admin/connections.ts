/** Pages of a list: `first`/`after`, `last`/`before`, `reverse`, at most 250 a page, cursors that stay put. */
import { apiError } from './api-error.ts';

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
  const ordered = args.reverse ? items.toReversed() : [...items];
  const keys = ordered.map((item) => cursorOf(keyOf(item)));
  const from = args.after ? positionOf(keys, args.after) + 1 : 0;
  const to = args.before ? positionOf(keys, args.before) : ordered.length;
  const first = args.first ?? null;
  const start = first === null ? Math.max(from, to - (args.last ?? 0)) : from;
  const end = first === null ? Math.max(start, to) : Math.min(to, from + first);
  const nodes = ordered.slice(start, end);
  return {
    nodes,
    edges: nodes.map((node, index) => ({ cursor: keys[start + index] ?? '', node })),
    pageInfo: {
      hasNextPage: end < ordered.length,
      hasPreviousPage: start > 0,
      startCursor: nodes.length === 0 ? null : (keys[start] ?? null),
      endCursor: nodes.length === 0 ? null : (keys[end - 1] ?? null),
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

function positionOf(keys: string[], cursor: string): number {
  const position = keys.indexOf(cursor);
  if (position === -1) throw badRequest('Invalid cursor for current pagination sort.');
  return position;
}

function cursorOf(key: string | number): string {
  return Buffer.from(JSON.stringify({ last_id: key })).toString('base64url');
}

function badRequest(message: string): Error {
  return apiError(message, 'BAD_REQUEST');
}
