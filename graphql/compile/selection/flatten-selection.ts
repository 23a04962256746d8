/**
 * Flattens the fields of a selection set: expands fragments and collects each field's conditions (`@include` and `@skip`),
 * which are evaluated for each request.
 */
import type { DirectiveNode, FieldNode, SelectionSetNode } from 'graphql';
import type { ClientDocument, FlattenedField, IncludeCondition } from '../../plan/client-document.ts';

/**
 * Returns the fields of a selection set on a single object type, such as a root's: every fragment applies.
 */
export function flattenSelection(
  client: ClientDocument,
  set: SelectionSetNode,
  conditionsAbove: readonly IncludeCondition[] = [],
): FlattenedField[] {
  return set.selections.flatMap((selection) => {
    const ownConditions = readConditions(selection);
    if (ownConditions === 'never') return [];
    const when = ownConditions.length === 0 ? conditionsAbove : [...conditionsAbove, ...ownConditions];
    if (selection.kind === 'Field') return [{ field: selection, when }];
    const spread =
      selection.kind === 'InlineFragment' ? selection : client.fragments.get(selection.name.value);
    return spread === undefined ? [] : flattenSelection(client, spread.selectionSet, when);
  });
}

/** Returns the unique field names of a root's selection set, fragments expanded, under any condition. */
export function collectRootNames(client: ClientDocument, set: SelectionSetNode): string[] {
  const fieldNames = new Set<string>();
  const visitedFragmentNames = new Set<string>();
  const collectFieldNames = ({ selections }: SelectionSetNode) => {
    for (const selection of selections) {
      if (selection.kind === 'Field') fieldNames.add(selection.name.value);
      else if (selection.kind === 'InlineFragment') collectFieldNames(selection.selectionSet);
      else if (!visitedFragmentNames.has(selection.name.value)) {
        visitedFragmentNames.add(selection.name.value);
        const fragment = client.fragments.get(selection.name.value);
        if (fragment !== undefined) collectFieldNames(fragment.selectionSet);
      }
    }
  };
  collectFieldNames(set);
  return [...fieldNames];
}

/** Returns the key of the field's value in the response: its alias, else its name. */
export function responseKeyOf({ alias, name }: FieldNode): string {
  return alias?.value ?? name.value;
}

/** Groups the fields by response key, in the order of their first appearance. */
export function groupByResponseKey(
  fields: readonly FlattenedField[],
): ReadonlyMap<string, readonly FlattenedField[]> {
  return Map.groupBy(fields, ({ field }) => responseKeyOf(field));
}

type ConditionalNode = { readonly directives?: readonly DirectiveNode[] | undefined };

/** Returns the conditions of a selection, or `never` when a literal value removes it. */
export function readConditions({ directives = [] }: ConditionalNode): readonly IncludeCondition[] | 'never' {
  const nodeConditions: IncludeCondition[] = [];
  for (const { name, arguments: args } of directives) {
    const includes = name.value === 'include';
    if (!includes && name.value !== 'skip') continue;
    const valueNode = args?.[0]?.value;
    if (valueNode?.kind === 'Variable') nodeConditions.push({ variable: valueNode.name.value, includes });
    else if (valueNode?.kind === 'BooleanValue' && valueNode.value !== includes) return 'never';
  }
  return nodeConditions;
}

/** Whether all conditions hold for the variables of a request. */
export function areConditionsMet(
  conditions: readonly IncludeCondition[],
  variables: Readonly<Record<string, unknown>>,
): boolean {
  return conditions.every(({ variable, includes }) => (variables[variable] === true) === includes);
}
