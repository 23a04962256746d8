/** The counting of objects looks fragments up by name. */
import { type DocumentNode, Kind, type SelectionSetNode } from 'graphql';

/** Name → the type condition and the selection set of a fragment. */
export type FragmentSets = ReadonlyMap<string, { readonly on: string; readonly set: SelectionSetNode }>;

/** The fragments of a document. */
export function fragmentSets({ definitions }: DocumentNode): FragmentSets {
  const fragments = definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  return new Map(
    fragments.map(({ name, typeCondition, selectionSet }) => [
      name.value,
      { on: typeCondition.name.value, set: selectionSet },
    ]),
  );
}
