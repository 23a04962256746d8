/** A list that is whole in memory is paged by the platform's conventions for connections. */
import { ServiceError } from '../../../lib/errors/service-error.ts';

export type PageArguments = {
  readonly first?: number | null;
  readonly last?: number | null;
  readonly after?: string | null;
  readonly before?: string | null;
  readonly reverse?: boolean | null;
};

export type PageInfo = {
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly startCursor: string | null;
  readonly endCursor: string | null;
};

/**
 * The page and its page info. `keyOf` names an item for good: cursors are made of it. GRAPHQL_VALIDATION_FAILED:
 * not exactly one of `first` and `last`, a negative one, or a cursor that names no item.
 */
export function pageOf<Item>(
  items: readonly Item[],
  args: PageArguments,
  keyOf: (item: Item) => string,
): { readonly items: readonly Item[]; readonly pageInfo: PageInfo } {
  const { first, last } = readSize(args);
  const ordered = args.reverse === true ? items.toReversed() : items;
  const position = (cursor: string): number => {
    const index = ordered.findIndex((item) => toCursor(keyOf(item)) === cursor);
    if (index === -1) throw invalid('The cursor names nothing in this list.');
    return index;
  };
  const from = args.after == null ? 0 : position(args.after) + 1;
  const to = Math.max(from, args.before == null ? ordered.length : position(args.before));
  const start = last === undefined ? from : Math.max(from, to - last);
  const end = first === undefined ? to : Math.min(to, from + first);
  const page = ordered.slice(start, end);
  const cursorOf = (item: Item | undefined) => (item === undefined ? null : toCursor(keyOf(item)));
  return {
    items: page,
    pageInfo: {
      hasNextPage: end < ordered.length,
      hasPreviousPage: start > 0,
      startCursor: cursorOf(page[0]),
      endCursor: cursorOf(page.at(-1)),
    },
  };
}

/** The cursor of an item with this key. */
export function toCursor(key: string): string {
  return Buffer.from(key).toString('base64url');
}

function readSize({ first, last }: PageArguments) {
  const [fromStart, fromEnd] = [first ?? undefined, last ?? undefined];
  if (fromStart === undefined && fromEnd === undefined) throw invalid('Give one of first and last.');
  if (fromStart !== undefined && fromEnd !== undefined) throw invalid('Give first or last, not both.');
  if ((fromStart ?? fromEnd ?? 0) < 0) throw invalid('first and last are at least 0.');
  return { first: fromStart, last: fromEnd };
}

function invalid(message: string): ServiceError {
  return new ServiceError('GRAPHQL_VALIDATION_FAILED', { message });
}
