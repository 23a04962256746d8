/**
 * A place in the list of line options. The list is walked group by group: first the group's products, each with its
 * variants, then the variants that joined the group without their product.
 */
import { ServiceError } from '../../../lib/errors/service-error.ts';

/** The place that comes next. Ids are the platform's; `after` is a cursor of the platform's, null at the beginning. */
export type Position =
  | { readonly kind: 'products'; readonly group: string; readonly after: string | null }
  /** The list goes on with more variants of one product, then with the products after `back`. */
  | {
      readonly kind: 'product';
      readonly group: string;
      readonly after: string | null;
      readonly product: string;
      readonly back: string;
    }
  | { readonly kind: 'variants'; readonly group: string; readonly after: string | null };

/** The cursor of an option, which names the place after it. */
export function toCursor({ group, kind, after, ...more }: Position): string {
  const rest = 'product' in more ? [more.product, more.back] : [];
  return Buffer.from(JSON.stringify([kind, group, after, ...rest])).toString('base64url');
}

/** The place that a cursor names. GRAPHQL_VALIDATION_FAILED: it names none. */
export function readCursor(text: string): Position {
  try {
    const [kind, group, after, product, back] = JSON.parse(Buffer.from(text, 'base64url').toString());
    const isAfter = after === null || typeof after === 'string';
    if (typeof group === 'string' && isAfter) {
      if (kind === 'products' || kind === 'variants') return { kind, group, after };
      const isProduct = typeof product === 'string' && typeof back === 'string';
      if (kind === 'product' && isProduct) return { kind, group, after, product, back };
    }
  } catch {
    // A text that is no JSON is no cursor of ours.
  }
  throw unknownCursor();
}

/** The error of a cursor that names nothing in this list, or not any more. */
export function unknownCursor(): ServiceError {
  return new ServiceError('GRAPHQL_VALIDATION_FAILED', {
    message: 'The cursor names nothing in this list. Start from the beginning.',
  });
}
