/** The client's document: its operation, its fragments, and the text of each node. */
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
} from 'graphql';
import type { Surface } from '../schema/schema.ts';

export type Variables = Readonly<Record<string, unknown>>;

/** The document as the client wrote it, after validation. */
export type ClientDocument = {
  /** The endpoint that received the document. */
  readonly surface: Surface;
  readonly operation: OperationDefinitionNode;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** Returns the text of a node, exactly as written. */
  readonly textOf: (node: { readonly loc?: { readonly start: number; readonly end: number } }) => string;
};

/** A variable of `@include` (`includes: true`) or `@skip` that decides whether a selection applies. */
export type IncludeCondition = { readonly variable: string; readonly includes: boolean };

/** A field of a selection with all its conditions, fragments expanded. */
export type FlattenedField = { readonly field: FieldNode; readonly when: readonly IncludeCondition[] };

/** Reads the validated document of a request. */
export function readClientDocument(
  surface: Surface,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): ClientDocument {
  const documentText = operation.loc?.source.body ?? '';
  const fragments = document.definitions.filter((one) => one.kind === Kind.FRAGMENT_DEFINITION);
  return {
    surface,
    operation,
    fragments: new Map(fragments.map((one) => [one.name.value, one])),
    textOf: ({ loc }) => documentText.slice(loc?.start, loc?.end),
  };
}
