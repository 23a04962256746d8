/** Pages of a list that the service builds. The arguments and the page have the form of the platform's lists. */

import { ServiceError } from '../../../lib/errors/service-error.ts';
import { type PageArguments, readPageSize } from '../../../lib/platform/admin-api/page-size.ts';

export type PageRequest<Place = number> = {
  readonly size: number;
  /** Whether the list is read from its end, in its order before `reverse`. */
  readonly descending: boolean;
  /** Whether the items that were read are reversed for the response. */
  readonly isFromEnd: boolean;
  /** The bounds of the page, in the list's own order. */
  readonly above: Place | undefined;
  readonly below: Place | undefined;
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
 * Reads the page of a list whose places are texts that match `pattern`.
 * @throws GRAPHQL_VALIDATION_FAILED when the arguments are invalid
 */
export function parseTextPageRequest(
  args: PageArguments,
  maxSize: number,
  pattern: RegExp,
): PageRequest<string> {
  const { size, isFromEnd } = readPageSize(args, maxSize);
  const isReversed = args.reverse === true;
  const [after, before] = [parseCursor(args.after, pattern), parseCursor(args.before, pattern)];
  return {
    ...{ size, isFromEnd, descending: isReversed !== isFromEnd },
    ...(isReversed ? { above: before, below: after } : { above: after, below: before }),
    ...{ hasAfter: after !== undefined, hasBefore: before !== undefined },
  };
}

type ReadItems<Place> = {
  /** In the order in which they were read. */
  readonly read: readonly { readonly place: Place; readonly node: object }[];
  readonly isMore: boolean;
  /** The place at which reading ended. Places after the last item of the page were read, but are not in the list. */
  readonly endPlace?: Place | undefined;
};

/** Returns the connection by field names. */
export function buildConnection<Place extends number | string>(
  { isFromEnd, hasAfter, hasBefore }: PageRequest<Place>,
  { read, isMore, endPlace }: ReadItems<Place>,
) {
  const inOrder = isFromEnd ? [...read].reverse() : read;
  const edges = inOrder.map(({ place, node }) => ({ cursor: formatCursor(place), node }));
  const end = isMore && endPlace !== undefined ? formatCursor(endPlace) : undefined;
  return {
    edges,
    nodes: edges.map(({ node }) => node),
    pageInfo: {
      hasNextPage: isFromEnd ? hasBefore : isMore,
      hasPreviousPage: isFromEnd ? isMore : hasAfter,
      startCursor: (isFromEnd ? end : undefined) ?? edges.at(0)?.cursor ?? null,
      endCursor: (isFromEnd ? undefined : end) ?? edges.at(-1)?.cursor ?? null,
    },
  };
}

function formatCursor(place: number | string): string {
  return Buffer.from(String(place)).toString('base64url');
}

function parseCursor(text: unknown, pattern: RegExp): string | undefined {
  if (text === undefined || text === null) return undefined;
  const place = Buffer.from(String(text), 'base64url').toString();
  if (!pattern.test(place)) throw invalidCursorError();
  return place;
}

function invalidCursorError(): ServiceError {
  return new ServiceError('GRAPHQL_VALIDATION_FAILED', {
    message: 'The cursor does not belong to this list.',
  });
}
