/** The shared parts of the roots with a `contractId`. */
import type { FieldNode } from 'graphql';
import { flattenSelection, responseKeyOf } from '../compile/selection/flatten-selection.ts';
import { findArgumentEntry } from '../compile/selection/type-reference.ts';
import { replaceArgumentByVariable } from '../compile/selection/upstream-writer.ts';
import { buildUnsentRoot, writeIncludeDirective } from '../compile/write-root.ts';
import type { FlattenedField } from '../plan/client-document.ts';
import type { RootCompileContext, RootFieldsAtKey, RootRunVariable } from '../plan/root-handler.ts';
import type { UpstreamWriter } from '../plan/upstream-document.ts';

/** Returns the internal variable, with its `$`, that has the contract's id for the platform. */
export function injectContractId(writer: UpstreamWriter, field: FieldNode): string {
  const argumentEntry = findArgumentEntry('QueryRoot', field.name.value, 'contractId');
  const node = field.arguments?.find(({ name }) => name.value === 'contractId')?.value;
  if (argumentEntry === undefined) throw new Error(`${field.name.value} has no contractId.`);
  return replaceArgumentByVariable(writer, { node, entry: argumentEntry });
}

/** Returns the fields directly below the root, in all its places. */
export function flattenRootFields(
  { writer }: RootCompileContext,
  fields: readonly FlattenedField[],
): readonly FlattenedField[] {
  return fields.flatMap(({ field }) =>
    field.selectionSet === undefined ? [] : flattenSelection(writer.client, field.selectionSet),
  );
}

/** Returns the response keys under which the client selects the field `name` directly below the root. */
export function listResponseKeys(
  context: RootCompileContext,
  fields: readonly FlattenedField[],
  name: string,
): readonly string[] {
  return flattenRootFields(context, fields)
    .filter(({ field }) => field.name.value === name)
    .map(({ field }) => responseKeyOf(field));
}

/** One place of the root in the client's document. */
export type ContractRootPlacement = {
  readonly field: FieldNode;
  /** The text of the `@include` directive of the platform's root fields; empty when they always run. */
  readonly include: string;
  /** The alias of the platform's root field for the contract. */
  readonly alias: string;
};

type ContractRootToWrite = {
  readonly alias: string;
  /**
   * Writes the platform's root fields for one occurrence of the root in the client's document. Adds each root field
   * that supplies a field below the root to `parts`, with that field's response key.
   */
  readonly write: (placement: ContractRootPlacement, parts: Map<string, string>) => string[];
};

/** Writes a root that consists of several roots of the platform. Its objects are always rebuilt. */
export function writeContractRoot(
  context: RootCompileContext,
  { key, fields, access }: RootFieldsAtKey,
  { alias, write }: ContractRootToWrite,
) {
  const runVariables: RootRunVariable[] = [];
  const contractParts = new Map<string, string>();
  const rootTexts = fields.flatMap(({ field, when }, occurrence) => {
    const include = writeIncludeDirective(context, { isDecided: true, when, occurrence }, runVariables);
    return write({ field, include, alias }, contractParts);
  });
  const clientPathByPlatformKey = new Map<string, readonly string[]>([[alias, [key]]]);
  for (const [part, partKey] of contractParts) clientPathByPlatformKey.set(part, [key, partKey]);
  const root = buildUnsentRoot(context, key, fields);
  const rebuiltShape = { ...root.shape, shape: root.shape.shape && { ...root.shape.shape, isRebuilt: true } };
  return {
    texts: rootTexts,
    parts: contractParts,
    root: { ...root, shape: rebuiltShape, access, runVariables, clientPathByPlatformKey },
  };
}
