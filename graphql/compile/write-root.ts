/** What every kind of root has in common: its shape, its text for the platform, and when it runs. */
import type { FieldNode, FragmentDefinitionNode } from 'graphql';
import type { CompiledRoot, RootAccess, RunVariable } from './plan.ts';
import type { Condition, FieldShape } from './selection/answer-shape.ts';
import { buildAnswerShape } from './selection/build-answer-shape.ts';
import type { FlatField } from './selection/flatten-selection.ts';
import { OURS, saleCheck, treatField } from './selection/treat-field.ts';
import { fieldType, namedType } from './selection/type-reference.ts';
import { declare, type UpstreamWriter } from './selection/upstream-writer.ts';
import { type Place, writeArguments, writeSelection } from './selection/write-selection.ts';

export type RootContext = {
  readonly writer: UpstreamWriter;
  readonly rootType: 'QueryRoot' | 'Mutation';
  readonly isActing: boolean;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly budget: { left: number };
  /** Of the root among the operation's. */
  readonly index: number;
};

/** Root fields that share a response key, and how far they are open. */
export type RootPlace = {
  readonly key: string;
  readonly fields: readonly FlatField[];
  readonly access: RootAccess;
};

/** A planned root, but for the arguments of ours that its writer has collected. */
export type WrittenRoot = {
  readonly root: Omit<CompiledRoot, 'injected'>;
  /** Its text in the upstream document, one for each place in the client's. */
  readonly texts: readonly string[];
};

/** Key, name, type, conditions and shape of a root. */
export function rootOf(context: RootContext, key: string, fields: readonly FlatField[]) {
  const { rootType } = context;
  const name = fields[0]?.field.name.value ?? '';
  const isMeta = name.startsWith('__');
  const type = fieldType(rootType, name) ?? 'JSON';
  const typeName = namedType(type);
  const selections = fields.flatMap(({ field: { selectionSet } }) =>
    selectionSet === undefined ? [] : [{ selectionSet, typeName }],
  );
  const isObject = !isMeta && selections.length > 0;
  const treatment = treatField(rootType, name, false);
  const shape: FieldShape = {
    key,
    type,
    kind: isObject ? 'object' : !isMeta && treatment.kind === 'forwarded' ? treatment.as : 'plain',
    shape: isObject ? buildAnswerShape(context, selections) : undefined,
    locals: [],
    isContact: false,
  };
  return { key, name, type, when: fields.map(({ when }) => when), shape };
}

export type RootText = {
  readonly key: string;
  readonly fields: readonly FlatField[];
  /** Whether only a request can tell if the root runs. */
  readonly isDecided: boolean;
  readonly overrides: Readonly<Record<string, string>>;
};

/** The root as it goes to the platform, once for each place in the client's document. */
export function writeRoot(context: RootContext, { key, fields, isDecided, overrides }: RootText) {
  const { writer, rootType } = context;
  const run: RunVariable[] = [];
  const texts = fields.map(({ field, when }, place) => {
    const args = writeArguments(writer, field, rootType, overrides);
    const include = includeIf(context, { isDecided, when, place }, run);
    const typeName = namedType(fieldType(rootType, field.name.value) ?? '');
    const selection = bracedSelection(writer, field, { typeName, isFromCustomer: false });
    const name = field.name.value;
    return `${key === name ? '' : `${key}: `}${name}${args}${include}${selection}`;
  });
  return { texts, run };
}

/** The selection of a root in its braces. It needs no owner check of its own: what it returns is proved. */
export function bracedSelection(writer: UpstreamWriter, field: FieldNode, place: Place): string {
  if (field.selectionSet === undefined) return '';
  const checks = writer.isActing ? saleCheck(place.typeName) : '';
  return ` { ${writeSelection(writer, field.selectionSet, place)}${checks} }`;
}

export type Inclusion = {
  readonly isDecided: boolean;
  readonly when: readonly Condition[];
  /** Of the field among those that share its response key. */
  readonly place: number;
};

/**
 * `@include` with a variable of ours where the root is decided at run time, the client's own conditions folded
 * in; nothing where it always runs. A mutation has a request of its own, so it is sent or not.
 */
export function includeIf(
  { writer, rootType, index }: RootContext,
  { isDecided, when, place }: Inclusion,
  run: RunVariable[],
): string {
  const isAlways = !isDecided && when.length === 0;
  if (isAlways || (rootType === 'Mutation' && when.length === 0)) return '';
  const variable = `${OURS}Run${index}${place === 0 ? '' : `_${place}`}`;
  run.push({ variable, when });
  return ` @include(if: ${declare(writer, variable, 'Boolean!')})`;
}
