/** What the roots that take a `contractId` have in common. */
import type { FieldNode } from 'graphql';
import { type FlatField, flattenSelection, responseKey } from '../plan/flatten-selection.ts';
import type { RootContext } from '../plan/root-draft.ts';
import { inject, type UpstreamWriter } from '../plan/upstream-writer.ts';
import { argumentEntry } from '../plan/write-selection.ts';

/** The variable of ours, with its `$`, that holds the contract's id for the platform. */
export function contractIdOf(writer: UpstreamWriter, field: FieldNode): string {
  const entry = argumentEntry('QueryRoot', field.name.value, 'contractId');
  const node = field.arguments?.find(({ name }) => name.value === 'contractId')?.value;
  if (entry === undefined) throw new Error(`${field.name.value} has no contractId.`);
  return inject(writer, { node, entry });
}

/** What stands straight below the root, in all its places. */
export function fieldsBelow({ writer }: RootContext, fields: readonly FlatField[]): readonly FlatField[] {
  return fields.flatMap(({ field }) =>
    field.selectionSet === undefined ? [] : flattenSelection(writer.client, field.selectionSet),
  );
}

/** Keys under which the client asks for a field of the root's type. */
export function keysOf(context: RootContext, fields: readonly FlatField[], name: string): readonly string[] {
  return fieldsBelow(context, fields)
    .filter(({ field }) => field.name.value === name)
    .map(({ field }) => responseKey(field));
}
