/**
 * A selection is blank if nothing is left of it for the platform: it is always skipped, or on types that the platform
 * lacks.
 */
import type { FragmentDefinitionNode, SelectionSetNode } from 'graphql';
import { isServiceType } from '../../schema/field-policy.ts';
import { readConditions } from './flatten-selection.ts';

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/** Whether every selection is left out. */
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
