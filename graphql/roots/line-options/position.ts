/**
 * A place in the list of line options. The list is walked group by group: first the group's products, each with its
 * variants, then the variants that joined the group without their product.
 */
import { parseGid } from '../../../lib/domain/gid.ts';
import { ServiceError } from '../../../lib/errors/service-error.ts';

/**
 * The place that comes next. Ids are the platform's; `after` is a cursor of the platform's, null at the beginning. Whoever
 * reads a list can make one up: see `checkPage`.
 */
export type Position =
  | { readonly kind: 'products'; readonly group: string; readonly after: string | null }
  /** The list goes on with more variants of one product, then with the products after `back`. */
  | {
      readonly kind: 'product';
      readonly group: string;
      readonly after: string;
      readonly product: string;
      readonly back: string;
    }
  | { readonly kind: 'variants'; readonly group: string; readonly after: string | null };

/** The cursor of an option, which names the place after it. */
export function toCursor({ group, kind, after, ...more }: Position): string {
  const rest = 'product' in more ? [more.product, more.back] : [];
  return Buffer.from(JSON.stringify([kind, group, after, ...rest])).toString('base64url');
}

/** What a cursor of the platform's can be: it is opaque, but printable and short. */
const PLATFORM_CURSOR = /^[\x21-\x7e]{1,2048}$/;

/** The place that a cursor names. GRAPHQL_VALIDATION_FAILED: it names none. */
export function readCursor(text: string): Position {
  const [kind, group, after, ...rest] = partsOf(text);
  if (typeof group !== 'string' || (after !== null && !isPlatformCursor(after))) throw unknownCursor();
  if ((kind === 'products' || kind === 'variants') && rest.length === 0) return { kind, group, after };
  const [product, back, ...more] = rest;
  const isComplete = kind === 'product' && more.length === 0 && after !== null;
  if (!isComplete || !isProductBeside(group, product) || !isPlatformCursor(back)) throw unknownCursor();
  return { kind, group, after, product, back };
}

function partsOf(text: string): readonly unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return Array.isArray(parts) ? parts : [];
  } catch {
    // A text that is no JSON is no cursor of ours.
    return [];
  }
}

function isPlatformCursor(part: unknown): part is string {
  return typeof part === 'string' && PLATFORM_CURSOR.test(part);
}

/** Whether a part is the id of a product, in the namespace of the group's. */
function isProductBeside(group: string, part: unknown): part is string {
  const gid = typeof part === 'string' ? parseGid(part) : undefined;
  return gid?.type === 'Product' && gid.namespace === parseGid(group)?.namespace;
}

/** The error of a cursor that names nothing in this list, or not any more. */
export function unknownCursor(): ServiceError {
  return new ServiceError('GRAPHQL_VALIDATION_FAILED', {
    message: 'The cursor names nothing in this list. Start from the beginning.',
  });
}
