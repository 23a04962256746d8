/** The requested part of the list of line options, and the connection that is built from it. */
import { type PageArguments, parsePageSize } from '../../../lib/platform/admin-api/page-size.ts';
import type { OptionRow, OptionRowsPage } from './option-rows.ts';
import {
  createUnknownCursorError,
  formatOptionCursor,
  isSameOption,
  type OptionListPoint,
  parseOptionCursor,
  type ReadPosition,
} from './position.ts';

const MAX_OPTIONS_PAGE_SIZE = 50;

export type OptionsWindow = {
  readonly size: number;
  /**
   * Whether the page is counted from the end of the list in the client's order, which is the start of the reversed
   * list.
   */
  readonly isFromEnd: boolean;
  /** Whether the list is walked from its end to its beginning. */
  readonly isBackward: boolean;
  /** The point at which the walk starts, or undefined for the end of the list on that side. */
  readonly start: OptionListPoint | undefined;
  /**
   * The option before which the walk stops. It must come after `start` in the list: `after` has to precede `before`.
   */
  readonly stop: OptionListPoint | undefined;
};

/**
 * Reads the window from the client's arguments.
 * @throws GRAPHQL_VALIDATION_FAILED when the sizes are wrong, or a cursor does not belong to this list
 */
export function parseOptionsWindow(args: PageArguments): OptionsWindow {
  const { size, isFromEnd } = parsePageSize(args, MAX_OPTIONS_PAGE_SIZE);
  const parseCursorOrNone = (cursor: string | null | undefined) =>
    cursor == null ? undefined : parseOptionCursor(cursor);
  const [after, before] = [parseCursorOrNone(args.after), parseCursorOrNone(args.before)];
  const [start, stop] = isFromEnd ? [before, after] : [after, before];
  return { size, isFromEnd, isBackward: isFromEnd !== (args.reverse === true), start, stop };
}

/** Whether the walk has passed the option at which it stops. Compares groups and their parts only. */
export function isPastStop(
  { stop, isBackward }: OptionsWindow,
  { group, kind }: ReadPosition,
  groups: readonly { readonly id: string }[],
): boolean {
  if (stop === undefined) return false;
  const orderOfPoint = (one: Pick<OptionListPoint, 'group' | 'kind'>) =>
    2 * groups.findIndex(({ id }) => id === one.group) + (one.kind === 'variants' ? 1 : 0);
  const placesUntilStop = orderOfPoint(stop) - orderOfPoint({ group, kind });
  return isBackward ? placesUntilStop > 0 : placesUntilStop < 0;
}

export type WindowRows = {
  /** The rows of the window, in the order in which the walk met them. */
  readonly rows: readonly OptionRow[];
  readonly isMore: boolean;
  /** The point from which the walk continues. */
  readonly nextPoint: OptionListPoint | undefined;
};

/**
 * Returns the rows that the window shows; `nextPoint` is the point from which the walk continues.
 * @throws GRAPHQL_VALIDATION_FAILED when the list ends before the option at which the walk stops
 */
export function selectWindowRows(
  { rows, nextPoint: next }: OptionRowsPage,
  { size, start, stop }: OptionsWindow,
): WindowRows {
  const endIndex = stop === undefined ? -1 : rows.findIndex(({ point }) => isSameOption(point, stop));
  const rowsInWindow = endIndex === -1 ? rows : rows.slice(0, endIndex);
  const visibleRows = rowsInWindow.slice(0, size);
  if (rowsInWindow.length > size)
    return { rows: visibleRows, isMore: true, nextPoint: visibleRows.at(-1)?.point ?? start };
  const nextPoint = endIndex === -1 ? next : undefined;
  if (stop !== undefined && endIndex === -1 && nextPoint === undefined) throw createUnknownCursorError();
  return { rows: visibleRows, isMore: nextPoint !== undefined, nextPoint };
}

type OptionEdge<Node> = { readonly cursor: string; readonly node: Node };

/**
 * Builds the connection of these edges, which are in the order of the walk. An empty page has a cursor from which the
 * client can continue.
 */
export function buildOptionConnection<Node>(
  edges: readonly OptionEdge<Node>[],
  { isFromEnd, start, stop }: OptionsWindow,
  { isMore, nextPoint: next }: Pick<WindowRows, 'isMore' | 'nextPoint'> = {
    isMore: false,
    nextPoint: undefined,
  },
) {
  const orderedEdges = isFromEnd ? edges.toReversed() : edges;
  const nextCursor = next === undefined ? null : formatOptionCursor(next);
  const hasStart = start !== undefined;
  const hasFurther = isMore || stop !== undefined;
  return {
    edges: orderedEdges,
    nodes: orderedEdges.map(({ node }) => node),
    pageInfo: {
      hasNextPage: isFromEnd ? hasStart : hasFurther,
      hasPreviousPage: isFromEnd ? hasFurther : hasStart,
      startCursor: orderedEdges[0]?.cursor ?? (isFromEnd ? nextCursor : null),
      endCursor: orderedEdges.at(-1)?.cursor ?? (isFromEnd ? null : nextCursor),
    },
  };
}
