/** Pages of a list that the service builds. The arguments and the page have the form of the platform's lists. */

import { ServiceError } from '../../../lib/errors/service-error.ts';
import { type PageArguments, parsePageSize } from '../../../lib/platform/admin-api/page-size.ts';

export type PageRequest<Position = number> = {
  readonly size: number;
  /** Whether the list is read from its end, in its order before `reverse`. */
  readonly descending: boolean;
  /** Whether the items that were read are reversed for the response. */
  readonly isFromEnd: boolean;
  /** The bounds of the page, in the list's own order. */
  readonly above: Position | undefined;
  readonly below: Position | undefined;
  readonly hasAfter: boolean;
  readonly hasBefore: boolean;
};

/**
 * Reads the page that the arguments request.
 * @throws GRAPHQL_VALIDATION_FAILED when the arguments are invalid
 */
export function parsePageRequest(args: PageArguments, maxSize: number): PageRequest {
  const { above, below, ...page } = parseTextPageRequest(args, maxSize, /^\d{1,15}$/);
  const toNumber = (text: string | undefined) => (text === undefined ? undefined : Number(text));
  return { ...page, above: toNumber(above), below: toNumber(below) };
}

/**
 * Reads the page of a list whose positions are texts that match `pattern`.
 * @throws GRAPHQL_VALIDATION_FAILED when the arguments are invalid
 */
export function parseTextPageRequest(
  args: PageArguments,
  maxSize: number,
  pattern: RegExp,
): PageRequest<string> {
  const { size, isFromEnd } = parsePageSize(args, maxSize);
  const isNewestFirst = args.reverse === true;
  const [after, before] = [parseCursor(args.after, pattern), parseCursor(args.before, pattern)];
  return {
    ...{ size, isFromEnd, descending: isNewestFirst !== isFromEnd },
    ...(isNewestFirst ? { above: before, below: after } : { above: after, below: before }),
    ...{ hasAfter: after !== undefined, hasBefore: before !== undefined },
  };
}

type ReadItems<Position> = {
  /** In the order in which they were read. */
  readonly readItems: readonly { readonly position: Position; readonly node: object }[];
  readonly isMore: boolean;
  /** The position at which reading ended. Items between the page's last item and this position were read, but are filtered out. */
  readonly endPosition?: Position | undefined;
};

/** Returns the connection by field names. */
export function buildConnection<Position extends number | string>(
  { isFromEnd, hasAfter, hasBefore }: PageRequest<Position>,
  { readItems, isMore, endPosition }: ReadItems<Position>,
) {
  const itemsInListOrder = isFromEnd ? [...readItems].reverse() : readItems;
  const pageEdges = itemsInListOrder.map(({ position, node }) => ({ cursor: formatCursor(position), node }));
  const endCursor = isMore && endPosition !== undefined ? formatCursor(endPosition) : undefined;
  return {
    edges: pageEdges,
    nodes: pageEdges.map(({ node }) => node),
    pageInfo: {
      hasNextPage: isFromEnd ? hasBefore : isMore,
      hasPreviousPage: isFromEnd ? isMore : hasAfter,
      startCursor: (isFromEnd ? endCursor : undefined) ?? pageEdges.at(0)?.cursor ?? null,
      endCursor: (isFromEnd ? undefined : endCursor) ?? pageEdges.at(-1)?.cursor ?? null,
    },
  };
}

function formatCursor(position: number | string): string {
  return Buffer.from(String(position)).toString('base64url');
}

function parseCursor(text: unknown, pattern: RegExp): string | undefined {
  if (text === undefined || text === null) return undefined;
  const decodedCursor = Buffer.from(String(text), 'base64url').toString();
  if (!pattern.test(decodedCursor)) throw invalidCursorError();
  return decodedCursor;
}

function invalidCursorError(): ServiceError {
  return new ServiceError('GRAPHQL_VALIDATION_FAILED', {
    message: 'The cursor does not belong to this list.',
  });
}
