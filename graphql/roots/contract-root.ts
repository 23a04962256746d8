/** The shared parts of the roots with a `contractId`. */
import type { FieldNode } from 'graphql';
import { flattenSelection, responseKey } from '../compile/selection/flatten-selection.ts';
import { findArgumentEntry } from '../compile/selection/type-reference.ts';
import { injectArgument } from '../compile/selection/upstream-writer.ts';
import { buildUnsentRoot, writeInclusion } from '../compile/write-root.ts';
import type { FlatField } from '../plan/client-document.ts';
import type { RootContext, RootPlace, RunVariable } from '../plan/root-kind.ts';
import type { UpstreamWriter } from '../plan/upstream-document.ts';

/** Returns the internal variable, with its `$`, that has the contract's id for the platform. */
export function injectContractId(writer: UpstreamWriter, field: FieldNode): string {
  const entry = findArgumentEntry('QueryRoot', field.name.value, 'contractId');
  const node = field.arguments?.find(({ name }) => name.value === 'contractId')?.value;
  if (entry === undefined) throw new Error(`${field.name.value} has no contractId.`);
  return injectArgument(writer, { node, entry });
}

/** Returns the fields directly below the root, in all its places. */
export function flattenRootFields(
  { writer }: RootContext,
  fields: readonly FlatField[],
): readonly FlatField[] {
  return fields.flatMap(({ field }) =>
    field.selectionSet === undefined ? [] : flattenSelection(writer.client, field.selectionSet),
  );
}

/** Returns the response keys of a field of the root's type. */
export function responseKeysOf(
  context: RootContext,
  fields: readonly FlatField[],
  name: string,
): readonly string[] {
  return flattenRootFields(context, fields)
    .filter(({ field }) => field.name.value === name)
    .map(({ field }) => responseKey(field));
}

/** One place of the root in the client's document. */
export type ContractRootPlacement = {
  readonly field: FieldNode;
  readonly include: string;
  readonly alias: string;
};

type Written = {
  readonly alias: string;
  /**
   * Writes the upstream roots of one place. `parts` gets each root that answers a field below the root, with that
   * field's key.
   */
  readonly write: (place: ContractRootPlacement, parts: Map<string, string>) => string[];
};

/** Writes a root that consists of several roots of the platform. Its objects are always rebuilt. */
export function writeContractRoot(
  context: RootContext,
  { key, fields, access }: RootPlace,
  { alias, write }: Written,
) {
  const run: RunVariable[] = [];
  const parts = new Map<string, string>();
  const texts = fields.flatMap(({ field, when }, place) => {
    const include = writeInclusion(context, { isDecided: true, when, place }, run);
    return write({ field, include, alias }, parts);
  });
  const upstream = new Map<string, readonly string[]>([[alias, [key]]]);
  for (const [part, partKey] of parts) upstream.set(part, [key, partKey]);
  const root = buildUnsentRoot(context, key, fields);
  const shape = { ...root.shape, shape: root.shape.shape && { ...root.shape.shape, isRebuilt: true } };
  return { texts, parts, root: { ...root, shape, access, run, upstream } };
}
