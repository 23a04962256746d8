/** The document as the client sent it: its operation, its fragments and the text of every node. */
import { type DocumentNode, type FragmentDefinitionNode, Kind, type OperationDefinitionNode } from 'graphql';

export type Variables = Readonly<Record<string, unknown>>;

/** The document as the client wrote it. */
export type ClientDocument = {
  readonly operation: OperationDefinitionNode;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** Gives the text of a node, exactly as written. */
  readonly textOf: (node: { readonly loc?: { readonly start: number; readonly end: number } }) => string;
};

/** The document of a request that has been validated. */
export function readClientDocument(
  document: DocumentNode,
  operation: OperationDefinitionNode,
): ClientDocument {
  const source = operation.loc?.source.body ?? '';
  const fragments = document.definitions.filter((one) => one.kind === Kind.FRAGMENT_DEFINITION);
  return {
    operation,
    fragments: new Map(fragments.map((one) => [one.name.value, one])),
    textOf: ({ loc }) => source.slice(loc?.start, loc?.end),
  };
}
