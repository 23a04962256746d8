/**
 * The errors of an operation's lists: page sizes that are invalid or too large, and too many objects. A rule reports
 * the errors of the document alone, and each request those that depend on its variables.
 */
import type { GraphQLError } from 'graphql';
import { createInvalidDocumentError, createTooComplexError } from '../errors/document-errors.ts';
import { countObjects, type ObjectCount, type PagedListField } from './count-objects.ts';
import { type DocumentLimits, MAX_PAGE_BY_FIELD } from './limits.ts';
import { resolveGivenSizes, resolvePageSize, type Variables } from './page-size.ts';

/** Finds the errors with these values of the variables, which must be coerced. */
export function findListErrors(
  count: ObjectCount,
  limits: DocumentLimits,
  variables: Variables,
): GraphQLError[] {
  const largePageErrors = count.pagedFields.flatMap((page) => findLargePageErrors(page, limits, variables));
  const wrongSizeErrors = limits.limitsPages
    ? count.pagedFields.flatMap((page) => findInvalidSizeErrors(page, variables))
    : [];
  if (largePageErrors.length > 0 || limits.objects === undefined)
    return [...largePageErrors, ...wrongSizeErrors];
  const objectCount = countObjects(count, variables);
  if (objectCount <= limits.objects) return wrongSizeErrors;
  return [
    createTooComplexError({ limit: 'objects', max: limits.objects, actual: objectCount }),
    ...wrongSizeErrors,
  ];
}

function findLargePageErrors(
  { node, sizes }: PagedListField,
  limits: DocumentLimits,
  variables: Variables,
): GraphQLError[] {
  const max = Math.min(limits.page, MAX_PAGE_BY_FIELD[node.name.value] ?? limits.page);
  return sizes.requested.flatMap((size) => {
    const pageSize = resolvePageSize(size, variables) ?? 0;
    const limitName = `page size (${node.name.value}, ${size.argument})`;
    return pageSize > max ? [createTooComplexError({ limit: limitName, max, actual: pageSize }, node)] : [];
  });
}

/**
 * Refuses a page with two sizes, or with a size below 0. The platform would refuse it by setting the list's parent to
 * null, which after a change would remove the whole response.
 */
function findInvalidSizeErrors({ node, sizes }: PagedListField, variables: Variables): GraphQLError[] {
  const givenSizes = resolveGivenSizes(sizes, variables);
  if (givenSizes.some((size) => size < 0))
    return [createInvalidDocumentError('first and last are at least 0.', node)];
  return givenSizes.length > 1 ? [createInvalidDocumentError('Give first or last, not both.', node)] : [];
}
