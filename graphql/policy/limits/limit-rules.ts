/**
 * The rules of limits. Each rule reports a document at most once. Documents are measured without expanding fragments
 * (measure-document.ts). check-variables.ts checks what depends on the values of variables.
 */
import {
  type DirectiveNode,
  type DocumentNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';
import { createTooComplexError } from '../errors/document-errors.ts';
import { compileObjectCount, hasVariableSizes } from './count-objects.ts';
import { indexFragmentSets } from './fragment-sets.ts';
import { findImageBoundsError, isImageArgument } from './image-bounds.ts';
import type { DocumentLimits } from './limits.ts';
import { findListErrors } from './list-errors.ts';
import { measureDocument } from './measure-document.ts';

/** Limits the operations of a document, because each is validated although only one runs. */
export function limitOperations({ operations: max }: DocumentLimits): ValidationRule {
  return createNumberLimit('operations', max, countOperations);
}

/** Limits the depth: the nesting of fields. */
export function limitDepth({ depth: max }: DocumentLimits): ValidationRule {
  return createNumberLimit('depth', max, (document) => measureDocument(document).depth);
}

/** Limits all aliases, including those of `__typename`: they multiply a response without new names. */
export function limitAliases({ aliases: max }: DocumentLimits): ValidationRule {
  return createNumberLimit('aliases', max, (document) => measureDocument(document).aliases);
}

/** Limits directives everywhere in the document. */
export function limitDirectives({ directives: max }: DocumentLimits): ValidationRule {
  return createNumberLimit('directives', max, countDirectives);
}

/** Limits selections: the fields that the compiler visits, which are those of a fragment at each of its uses. */
export function limitSelections({ selections: max }: DocumentLimits): ValidationRule {
  return createNumberLimit('selections', max, (document) => measureDocument(document).selections);
}

function createNumberLimit(
  limit: string,
  max: number,
  count: (document: DocumentNode) => number,
): ValidationRule {
  return (context) => ({
    Document(document) {
      const measuredSize = count(document);
      if (measuredSize > max)
        context.reportError(createTooComplexError({ limit, max, actual: measuredSize }));
    },
  });
}

function countOperations({ definitions }: DocumentNode): number {
  return definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION).length;
}

function countDirectives({ definitions }: DocumentNode): number {
  let directiveCount = 0;
  for (const definition of definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION && definition.kind !== Kind.FRAGMENT_DEFINITION)
      continue;
    directiveCount += countDirectivesOn(definition) + countDirectivesIn(definition.selectionSet);
    for (const variable of definition.variableDefinitions ?? [])
      directiveCount += countDirectivesOn(variable);
  }
  return directiveCount;
}

function countDirectivesIn(set: SelectionSetNode | undefined): number {
  let directiveCount = 0;
  for (const selection of set?.selections ?? []) {
    directiveCount += countDirectivesOn(selection);
    if (selection.kind !== Kind.FRAGMENT_SPREAD) directiveCount += countDirectivesIn(selection.selectionSet);
  }
  return directiveCount;
}

type WithDirectives = { readonly directives?: readonly DirectiveNode[] | undefined };

function countDirectivesOn({ directives }: WithDirectives): number {
  return directives?.length ?? 0;
}

/** Refuses literals that exceed the bounds of images. */
export const limitImagesRule: ValidationRule = (context) => ({
  Argument(node) {
    const error = isImageArgument(node) ? findImageBoundsError(node, {}) : undefined;
    if (error) context.reportError(error);
  },
});

/**
 * Refuses literal page sizes that are invalid or too large, and operations without paging variables that can return
 * too many objects.
 */
export function limitObjects(limits: DocumentLimits): ValidationRule {
  return (context) => ({
    Document({ definitions }) {
      for (const definition of definitions) {
        if (definition.kind === Kind.OPERATION_DEFINITION) checkListSizes(context, limits, definition);
      }
    },
  });
}

function checkListSizes(
  context: ValidationContext,
  limits: DocumentLimits,
  operation: OperationDefinitionNode,
): void {
  const objectCount = compileObjectCount(
    context.getSchema(),
    indexFragmentSets(context.getDocument()),
    operation,
  );
  const appliedLimits = hasVariableSizes(objectCount) ? { ...limits, objects: undefined } : limits;
  for (const error of findListErrors(objectCount, appliedLimits, {})) context.reportError(error);
}
