/** Pages a list that is in memory, by the platform's conventions for connections. */

import { ServiceError } from '../../../lib/errors/service-error.ts';
import { type PageArguments, parsePageSize } from '../../../lib/platform/admin-api/page-size.ts';

export type PageInfo = {
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly startCursor: string | null;
  readonly endCursor: string | null;
};

/**
 * Returns the page and its page info. `keyOf` returns a permanent key of an item, from which its cursor is made.
 * @throws GRAPHQL_VALIDATION_FAILED when the sizes are wrong, or a cursor names no item
 */
export function selectPage<Item>(
  items: readonly Item[],
  args: PageArguments,
  keyOf: (item: Item) => string,
): { readonly items: readonly Item[]; readonly pageInfo: PageInfo } {
  const { size, isFromEnd } = parsePageSize(args);
  const orderedItems = args.reverse === true ? items.toReversed() : items;
  const positionOfCursor = (cursor: string): number => {
    const itemIndex = orderedItems.findIndex((item) => formatCursor(keyOf(item)) === cursor);
    if (itemIndex === -1) throw invalidPageError('The cursor names nothing in this list.');
    return itemIndex;
  };
  const rangeStart = args.after == null ? 0 : positionOfCursor(args.after) + 1;
  const rangeEnd = Math.max(
    rangeStart,
    args.before == null ? orderedItems.length : positionOfCursor(args.before),
  );
  const pageStart = isFromEnd ? Math.max(rangeStart, rangeEnd - size) : rangeStart;
  const pageEnd = isFromEnd ? rangeEnd : Math.min(rangeEnd, rangeStart + size);
  const pageItems = orderedItems.slice(pageStart, pageEnd);
  const cursorOf = (item: Item | undefined) => (item === undefined ? null : formatCursor(keyOf(item)));
  return {
    items: pageItems,
    pageInfo: {
      hasNextPage: pageEnd < orderedItems.length,
      hasPreviousPage: pageStart > 0,
      startCursor: cursorOf(pageItems[0]),
      endCursor: cursorOf(pageItems.at(-1)),
    },
  };
}

/** Returns the cursor of an item with this key. */
export function formatCursor(key: string): string {
  return Buffer.from(key).toString('base64url');
}

function invalidPageError(message: string): ServiceError {
  return new ServiceError('GRAPHQL_VALIDATION_FAILED', { message });
}
