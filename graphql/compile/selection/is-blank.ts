/**
 * Finds blank selections: nothing of them is sent to the platform, because a literal condition excludes it, or it is on a type
 * that only the service has.
 */
import type { FragmentDefinitionNode, SelectionSetNode } from 'graphql';
import { isServiceType } from '../../schema/field-policy.ts';
import { readConditions } from './flatten-selection.ts';

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/** Whether nothing of the selection set is sent to the platform. */
export function isBlankSelection(set: SelectionSetNode, fragments: Fragments): boolean {
  return set.selections.every((selection) => {
    if (readConditions(selection) === 'never') return true;
    if (selection.kind === 'Field') return false;
    const fragment = selection.kind === 'InlineFragment' ? selection : fragments.get(selection.name.value);
    if (fragment === undefined) return true;
    const typeName = fragment.typeCondition?.name.value;
    return (
      (typeName !== undefined && isServiceType(typeName)) ||
      isBlankSelection(fragment.selectionSet, fragments)
    );
  });
}
