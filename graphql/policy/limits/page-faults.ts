/**
 * A page is asked for by one of `first` and `last`. The platform refuses any other, and takes what is around the list along;
 * after a change nothing of its answer would be left. So customers' documents are refused before it is asked.
 */
import type { GraphQLError } from 'graphql';
import { invalidDocument } from '../errors/invalid-document.ts';
import type { ObjectCount, PagedField } from './count-objects.ts';
import { isVariable, sizeWith, type Variables } from './page-size.ts';

/** The error of each page that cannot be, with these values of the variables (coerced). */
export function pageFaults({ paged }: ObjectCount, variables: Variables): GraphQLError[] {
  return paged.flatMap((page) => {
    const fault = faultOf(page, variables);
    return fault === undefined ? [] : [invalidDocument(fault, page.node)];
  });
}

/** The errors of those of which the document alone tells. The others wait for the values of their variables. */
export function literalPageFaults(count: ObjectCount): GraphQLError[] {
  return pageFaults({ ...count, paged: count.paged.filter(({ sizes }) => !sizes.some(isVariable)) }, {});
}

function faultOf({ sizes, needsOne }: PagedField, variables: Variables): string | undefined {
  const given = sizes.map((size) => sizeWith(size, variables)).filter((size) => size !== undefined);
  if (given.some((size) => size < 0)) return 'first and last are at least 0.';
  if (!needsOne || given.length === 1) return undefined;
  return given.length === 0 ? 'Give one of first and last.' : 'Give first or last, not both.';
}
