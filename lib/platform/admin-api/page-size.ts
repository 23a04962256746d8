/**
 * The size of a list's page, and whether it is counted from the start or the end of the list. A list without `first`
 * and `last` has a page of 25 items: its first ones, or those before the cursor if only `before` is given.
 */
import { ServiceError } from '../../errors/service-error.ts';

/** The size of a page when the client gives none. */
export const DEFAULT_PAGE_SIZE = 25;

/** The largest page, as on the platform. */
export const MAX_PAGE_SIZE = 250;

/** The client's arguments of a connection. */
export type PageArguments = {
  readonly first?: number | null;
  readonly last?: number | null;
  readonly after?: string | null;
  readonly before?: string | null;
  readonly reverse?: boolean | null;
};

/**
 * Reads the size of a page of at most `maxSize` items, and whether it is counted from the end of the list.
 * @throws GRAPHQL_VALIDATION_FAILED when both sizes are given, or one is out of range
 */
export function parsePageSize(
  args: PageArguments,
  maxSize = MAX_PAGE_SIZE,
): { size: number; isFromEnd: boolean } {
  const { first, last } = withDefaultPageSize(args, DEFAULT_PAGE_SIZE);
  if (first != null && last != null) throw invalidArgumentError('Give first or last, not both.');
  const size = first ?? last ?? 0;
  if (size < 0 || size > maxSize)
    throw invalidArgumentError(`first and last are at least 0 and at most ${maxSize}.`);
  return { size, isFromEnd: first == null };
}

/**
 * Returns the given `first` and `last`. If neither is given, returns the default as `first`, or as `last` if only
 * `before` is given.
 */
export function withDefaultPageSize(
  args: PageArguments,
  defaultSize: number,
): Pick<PageArguments, 'first' | 'last'> {
  if (args.first != null || args.last != null) return args;
  return args.before != null && args.after == null ? { last: defaultSize } : { first: defaultSize };
}

function invalidArgumentError(message: string): ServiceError {
  return new ServiceError('GRAPHQL_VALIDATION_FAILED', { message });
}
