/** Directives count wherever they stand in the document. */
import {
  type DirectiveNode,
  type DocumentNode,
  Kind,
  type SelectionSetNode,
  type ValidationRule,
} from 'graphql';
import { tooComplex } from '../errors/too-complex.ts';
import type { Limits } from './limits.ts';

const on = ({ directives }: { readonly directives?: readonly DirectiveNode[] | undefined }): number =>
  directives?.length ?? 0;

function inSet(set: SelectionSetNode | undefined): number {
  let count = 0;
  for (const selection of set?.selections ?? []) {
    count += on(selection);
    if (selection.kind !== Kind.FRAGMENT_SPREAD) count += inSet(selection.selectionSet);
  }
  return count;
}

function inDocument({ definitions }: DocumentNode): number {
  let count = 0;
  for (const definition of definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION && definition.kind !== Kind.FRAGMENT_DEFINITION)
      continue;
    count += on(definition) + inSet(definition.selectionSet);
    for (const variable of definition.variableDefinitions ?? []) count += on(variable);
  }
  return count;
}

/** Reports a document beyond the limit, once. */
export function limitDirectives({ directives: max }: Limits): ValidationRule {
  return (context) => ({
    Document(document) {
      const actual = inDocument(document);
      if (actual > max) context.reportError(tooComplex({ limit: 'directives', max, actual }));
    },
  });
}
