/** The fields of a selection set, fragments opened, each with the conditions that it stands under. */
import type { FieldNode, SelectionSetNode } from 'graphql';
import type { ClientDocument } from './client-document.ts';
import { type Condition, conditionsOf } from './conditions.ts';

export type FlatField = { readonly field: FieldNode; readonly when: readonly Condition[] };

/** The fields of a set that stands on one object type, such as a root's: every fragment applies. */
export function flattenSelection(
  client: ClientDocument,
  set: SelectionSetNode,
  above: readonly Condition[] = [],
): FlatField[] {
  return set.selections.flatMap((selection) => {
    const own = conditionsOf(selection);
    if (own === 'never') return [];
    const when = own.length === 0 ? above : [...above, ...own];
    if (selection.kind === 'Field') return [{ field: selection, when }];
    const spread =
      selection.kind === 'InlineFragment' ? selection : client.fragments.get(selection.name.value);
    return spread === undefined ? [] : flattenSelection(client, spread.selectionSet, when);
  });
}

/** The name under which a field's value is answered. */
export function responseKey({ alias, name }: FieldNode): string {
  return alias?.value ?? name.value;
}

/** The same fields by response key, in the order of their first appearance. */
export function groupByKey(fields: readonly FlatField[]): ReadonlyMap<string, readonly FlatField[]> {
  return Map.groupBy(fields, ({ field }) => responseKey(field));
}
