/**
 * Points in the list of line options, and the items on either side of them. The list is walked group by group: first
 * the group's products, each with its variants, then the variants that joined the group without their product.
 */
import { parseGid } from '../../../lib/domain/gid.ts';
import { ServiceError } from '../../../lib/errors/service-error.ts';

/**
 * A point in the list: an option, or a place between two of them. Ids and cursors are the platform's. A client can make up
 * a point: see `checkPageVisibility`.
 */
export type OptionListPoint =
  /** A product without options, or the beginning of the group (`cursor` null). */
  | { readonly kind: 'products'; readonly group: string; readonly cursor: string | null }
  /** A variant of a product: `cursor` is its cursor in the product, `productCursor` the product's cursor in the group. */
  | {
      readonly kind: 'product';
      readonly group: string;
      readonly cursor: string;
      readonly product: string;
      readonly productCursor: string;
      /** The sum of FIRST_VARIANT_FLAG and LAST_VARIANT_FLAG, as far as the variant is the product's first or last. */
      readonly ends: number;
    }
  /** A variant without its product, or the beginning of these variants (`cursor` null). */
  | { readonly kind: 'variants'; readonly group: string; readonly cursor: string | null };

export const FIRST_VARIANT_FLAG = 1;
export const LAST_VARIANT_FLAG = 2;

/** A place to read: the items that follow a cursor forward or backward, or all from that end of their list (`fromCursor` null). */
export type ReadPosition = {
  readonly group: string;
  readonly fromCursor: string | null;
  readonly isBackward: boolean;
} & (
  | { readonly kind: 'products' | 'variants' }
  /** More variants of one product; `productCursor` is the product's cursor in the group. */
  | { readonly kind: 'product'; readonly product: string; readonly productCursor: string }
);

type GroupWalk = { readonly isBackward: boolean; readonly groups: readonly { readonly id: string }[] };

/**
 * Finds the next list to read, and the cursor to read it from, when the walk leaves a point in its direction. After the
 * last variant of a product, this is the group's list of products. Before the first product, it is the group before.
 * @returns undefined when a backward walk is at the beginning of the first group
 */
export function nextReadPosition(
  point: OptionListPoint,
  { isBackward, groups }: GroupWalk,
): ReadPosition | undefined {
  const { kind, group, cursor } = point;
  if (kind === 'product') {
    const { product, productCursor: back, ends } = point;
    return (ends & (isBackward ? FIRST_VARIANT_FLAG : LAST_VARIANT_FLAG)) === 0
      ? { kind, group, fromCursor: cursor, isBackward, product, productCursor: back }
      : { kind: 'products', group, fromCursor: back, isBackward };
  }
  if (cursor !== null || !isBackward) return { kind, group, fromCursor: cursor, isBackward };
  if (kind === 'variants') return { kind: 'products', group, fromCursor: null, isBackward };
  const previousGroup = groups[groups.findIndex(({ id }) => id === group) - 1];
  return previousGroup && { kind: 'variants', group: previousGroup.id, fromCursor: null, isBackward };
}

/**
 * Finds the position at the beginning or, backward, at the end of the list.
 * @returns undefined when the list is empty
 */
export function firstReadPosition({ isBackward, groups }: GroupWalk): ReadPosition | undefined {
  const groupId = (isBackward ? groups.at(-1) : groups[0])?.id;
  if (groupId === undefined) return undefined;
  return { kind: isBackward ? 'variants' : 'products', group: groupId, fromCursor: null, isBackward };
}

/** Whether both points are the same option. */
export function isSameOption(one: OptionListPoint, other: OptionListPoint): boolean {
  const productOf = (point: OptionListPoint) => ('product' in point ? point.product : undefined);
  const isSamePosition = one.kind === other.kind && one.group === other.group && one.cursor === other.cursor;
  return isSamePosition && productOf(one) === productOf(other);
}

/** Returns the cursor of a point. */
export function formatOptionCursor(point: OptionListPoint): string {
  const { kind, group, cursor } = point;
  const productParts = kind === 'product' ? [point.product, point.productCursor, point.ends] : [];
  return Buffer.from(JSON.stringify([kind, group, cursor, ...productParts])).toString('base64url');
}

/** The form of a platform cursor: opaque, but printable and short. */
const PLATFORM_CURSOR_PATTERN = /^[\x21-\x7e]{1,2048}$/;

/**
 * Returns the point of a cursor.
 * @throws GRAPHQL_VALIDATION_FAILED when the text is not a cursor
 */
export function parseOptionCursor(text: string): OptionListPoint {
  const [positionKind, groupId, cursor, ...remainingParts] = parseCursorParts(text);
  if (typeof groupId !== 'string' || (cursor !== null && !isPlatformCursor(cursor)))
    throw createUnknownCursorError();
  if ((positionKind === 'products' || positionKind === 'variants') && remainingParts.length === 0)
    return { kind: positionKind, group: groupId, cursor };
  // Cursors of earlier versions lack the ends.
  const [product, back, ends = 0, ...extraParts] = remainingParts;
  const areAllPartsPresent =
    positionKind === 'product' && extraParts.length === 0 && cursor !== null && isVariantEndsFlag(ends);
  if (!areAllPartsPresent || !isProductIdLike(groupId, product) || !isPlatformCursor(back))
    throw createUnknownCursorError();
  return { kind: positionKind, group: groupId, cursor, product, productCursor: back, ends };
}

function isVariantEndsFlag(part: unknown): part is number {
  return (
    typeof part === 'number' &&
    [0, FIRST_VARIANT_FLAG, LAST_VARIANT_FLAG, FIRST_VARIANT_FLAG + LAST_VARIANT_FLAG].includes(part)
  );
}

function parseCursorParts(text: string): readonly unknown[] {
  try {
    const decodedParts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return Array.isArray(decodedParts) ? decodedParts : [];
  } catch {
    // A text that is not JSON is not a cursor of the service.
    return [];
  }
}

function isPlatformCursor(part: unknown): part is string {
  return typeof part === 'string' && PLATFORM_CURSOR_PATTERN.test(part);
}

/** Whether a part is the id of a product, in the namespace of the group's. */
function isProductIdLike(group: string, part: unknown): part is string {
  const gid = typeof part === 'string' ? parseGid(part) : undefined;
  return gid?.type === 'Product' && gid.namespace === parseGid(group)?.namespace;
}

/** Creates the error of a cursor without an item in this list, or without one any more. */
export function createUnknownCursorError(): ServiceError {
  return new ServiceError('GRAPHQL_VALIDATION_FAILED', {
    message: 'The cursor does not belong to this list. Start with the first page.',
  });
}
