/**
 * A page is asked for by one of `first` and `last`. The platform refuses any other, and takes what is around the list along;
 * after a change nothing of its answer would be left. So customers' documents are refused before it is asked.
 */
import { type GraphQLError, Kind, type ValidationRule } from 'graphql';
import { invalidDocument } from '../errors/invalid-document.ts';
import { compileObjectCount, type ObjectCount, type PagedField } from './count-objects.ts';
import { fragmentSets } from './fragment-sets.ts';
import { isVariable, sizeWith, type Variables } from './page-size.ts';

/** The error of each page that cannot be, with these values of the variables (coerced). */
export function pageFaults({ paged }: ObjectCount, variables: Variables): GraphQLError[] {
  return paged.flatMap((page) => {
    const fault = faultOf(page, variables);
    return fault === undefined ? [] : [invalidDocument(fault, page.node)];
  });
}

/** Refuses pages that cannot be, where the document alone tells. Those with variables wait for their values. */
export const possiblePages: ValidationRule = (context) => ({
  Document(document) {
    for (const definition of document.definitions) {
      if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
      const count = compileObjectCount(context.getSchema(), fragmentSets(document), definition);
      const paged = count.paged.filter(({ sizes }) => !sizes.some(isVariable));
      for (const error of pageFaults({ ...count, paged }, {})) context.reportError(error);
    }
  },
});

function faultOf({ sizes, needsOne }: PagedField, variables: Variables): string | undefined {
  const given = sizes.map((size) => sizeWith(size, variables)).filter((size) => size !== undefined);
  if (given.some((size) => size < 0)) return 'first and last are at least 0.';
  if (!needsOne || given.length === 1) return undefined;
  return given.length === 0 ? 'Give one of first and last.' : 'Give first or last, not both.';
}
