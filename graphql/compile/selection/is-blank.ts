/** Selections of which nothing is left for the platform: always skipped, or on types that it does not know. */
import type { FragmentDefinitionNode, SelectionSetNode } from 'graphql';
import { isServiceType } from '../../schema/coordinates.ts';
import { conditionsOf } from './conditions.ts';

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/** Whether every selection is left out. */
export function isBlank(set: SelectionSetNode, fragments: Fragments): boolean {
  return set.selections.every((selection) => {
    if (conditionsOf(selection) === 'never') return true;
    if (selection.kind === 'Field') return false;
    const fragment = selection.kind === 'InlineFragment' ? selection : fragments.get(selection.name.value);
    if (fragment === undefined) return true;
    const typeName = fragment.typeCondition?.name.value;
    return (typeName !== undefined && isServiceType(typeName)) || isBlank(fragment.selectionSet, fragments);
  });
}
