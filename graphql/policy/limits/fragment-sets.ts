/** Finds fragments by name, for the count of objects. */
import { type DocumentNode, Kind, type SelectionSetNode } from 'graphql';

/** The type condition and the selection set of each fragment, by its name. */
export type FragmentSets = ReadonlyMap<
  string,
  { readonly typeName: string; readonly selectionSet: SelectionSetNode }
>;

/** Returns the fragments of a document. */
export function indexFragmentSets({ definitions }: DocumentNode): FragmentSets {
  const fragments = definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  return new Map(
    fragments.map(({ name, typeCondition, selectionSet }) => [
      name.value,
      { typeName: typeCondition.name.value, selectionSet },
    ]),
  );
}
