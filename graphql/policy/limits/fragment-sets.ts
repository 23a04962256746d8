/** The counting of objects looks fragments up by name. */
import { type DocumentNode, Kind } from 'graphql';
import type { FragmentSets } from './count-objects.ts';

/** Name → type condition and selection set. */
export function fragmentSets({ definitions }: DocumentNode): FragmentSets {
  const fragments = definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  return new Map(
    fragments.map(({ name, typeCondition, selectionSet }) => [
      name.value,
      { on: typeCondition.name.value, set: selectionSet },
    ]),
  );
}
