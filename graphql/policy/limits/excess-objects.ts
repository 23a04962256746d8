/** Pages and objects beyond the limits are found the same way by the rule and for each request's variables. */
import type { GraphQLError } from 'graphql';
import { tooComplex } from '../errors/too-complex.ts';
import { countObjects, type ObjectCount } from './count-objects.ts';
import { type Limits, SMALLER_PAGES } from './limits.ts';
import { sizeWith, type Variables } from './page-size.ts';

/**
 * The errors of pages beyond their limit, or else of too many objects; none if all is within the limits. Variables
 * must be coerced.
 */
export function excessObjects(count: ObjectCount, limits: Limits, variables: Variables): GraphQLError[] {
  const pages = count.paged.flatMap(({ node, sizes }) =>
    sizes.given.flatMap((size) => {
      const actual = sizeWith(size, variables) ?? 0;
      const limit = `page size (${node.name.value}, ${size.argument})`;
      const max = Math.min(limits.page, SMALLER_PAGES[node.name.value] ?? limits.page);
      return actual > max ? [tooComplex({ limit, max, actual }, node)] : [];
    }),
  );
  if (pages.length > 0 || limits.objects === undefined) return pages;
  const actual = countObjects(count, variables);
  return actual > limits.objects ? [tooComplex({ limit: 'objects', max: limits.objects, actual })] : [];
}
