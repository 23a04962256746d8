import { type FieldNode, Kind, type SelectionSetNode, type ValidationContext } from 'graphql';

/** Returns the fields of a selection set and of its fragments, each fragment once. */
export function* iterateRootFields(
  context: ValidationContext,
  set: SelectionSetNode,
  visitedFragmentNames: Set<string> = new Set(),
): Generator<FieldNode> {
  for (const selection of set.selections) {
    if (selection.kind === Kind.FIELD) yield selection;
    else if (selection.kind === Kind.INLINE_FRAGMENT)
      yield* iterateRootFields(context, selection.selectionSet, visitedFragmentNames);
    else {
      const fragment = context.getFragment(selection.name.value);
      if (!fragment || visitedFragmentNames.has(fragment.name.value)) continue;
      visitedFragmentNames.add(fragment.name.value);
      yield* iterateRootFields(context, fragment.selectionSet, visitedFragmentNames);
    }
  }
}
