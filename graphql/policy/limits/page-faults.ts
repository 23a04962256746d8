/**
 * A page has one size at most, and none below 0. The platform refuses any other, and takes what is around the list along;
 * after a change nothing of its answer would be left. So customers' documents are refused before it is asked.
 */
import type { GraphQLError } from 'graphql';
import { invalidDocument } from '../errors/invalid-document.ts';
import type { ObjectCount } from './count-objects.ts';
import { givenSizes, type Sizes, type Variables } from './page-size.ts';

/** The errors of the pages with these values of the variables (coerced; none: what the document alone shows). */
export function pageFaults({ paged }: ObjectCount, variables: Variables): GraphQLError[] {
  return paged.flatMap(({ node, sizes }) => {
    const fault = faultOf(sizes, variables);
    return fault === undefined ? [] : [invalidDocument(fault, node)];
  });
}

function faultOf(sizes: Sizes, variables: Variables): string | undefined {
  const numbers = givenSizes(sizes, variables);
  if (numbers.some((size) => size < 0)) return 'first and last are at least 0.';
  return numbers.length > 1 ? 'Give first or last, not both.' : undefined;
}
