/**
 * The errors of an operation's lists: page sizes that are invalid or too large, and too many objects. A rule reports
 * the errors of the document alone, and each request those that depend on its variables.
 */
import type { GraphQLError } from 'graphql';
import { invalidDocument, tooComplex } from '../errors/document-errors.ts';
import { countObjects, type ObjectCount, type PagedField } from './count-objects.ts';
import { type Limits, SMALLER_PAGES } from './limits.ts';
import { givenSizes, sizeWith, type Variables } from './page-size.ts';

/** Finds the errors with these values of the variables, which must be coerced. */
export function listErrors(count: ObjectCount, limits: Limits, variables: Variables): GraphQLError[] {
  const large = count.paged.flatMap((page) => largePage(page, limits, variables));
  const wrong = limits.limitsPages ? count.paged.flatMap((page) => wrongSizes(page, variables)) : [];
  if (large.length > 0 || limits.objects === undefined) return [...large, ...wrong];
  const actual = countObjects(count, variables);
  if (actual <= limits.objects) return wrong;
  return [tooComplex({ limit: 'objects', max: limits.objects, actual }), ...wrong];
}

function largePage({ node, sizes }: PagedField, limits: Limits, variables: Variables): GraphQLError[] {
  const max = Math.min(limits.page, SMALLER_PAGES[node.name.value] ?? limits.page);
  return sizes.given.flatMap((size) => {
    const actual = sizeWith(size, variables) ?? 0;
    const limit = `page size (${node.name.value}, ${size.argument})`;
    return actual > max ? [tooComplex({ limit, max, actual }, node)] : [];
  });
}

/**
 * Refuses a page with two sizes, or with a size below 0. The platform would refuse it by setting the list's parent to
 * null, which after a change would remove the whole response.
 */
function wrongSizes({ node, sizes }: PagedField, variables: Variables): GraphQLError[] {
  const numbers = givenSizes(sizes, variables);
  if (numbers.some((size) => size < 0)) return [invalidDocument('first and last are at least 0.', node)];
  return numbers.length > 1 ? [invalidDocument('Give first or last, not both.', node)] : [];
}
