/**
 * Builds what roots of all handlers have in common: the shape, the texts for the platform, and the conditions of
 * running.
 */

import type { FlattenedField, IncludeCondition } from '../plan/client-document.ts';
import type { FieldShape } from '../plan/response-shape.ts';
import type { RootCompileContext, RootRunVariable } from '../plan/root-handler.ts';
import { buildResponseShape } from './selection/build-response-shape.ts';
import { decideFieldTreatment } from './selection/field-treatment.ts';
import { SERVICE_ALIAS } from './selection/service-alias.ts';
import { typeOfField, unwrapTypeReference } from './selection/type-reference.ts';
import { declareVariable } from './selection/upstream-writer.ts';
import { writeArguments, writeBracedSelection } from './selection/write-selection.ts';

/**
 * Returns a root of which nothing is sent to the platform, with its key, name, type, conditions and shape. A kind of
 * root overrides the fields that differ.
 */
export function buildUnsentRoot(context: RootCompileContext, key: string, fields: readonly FlattenedField[]) {
  const { rootType } = context;
  const rootName = fields[0]?.field.name.value ?? '';
  const isMeta = rootName.startsWith('__');
  const typeReference = typeOfField(rootType, rootName) ?? 'JSON';
  const typeName = unwrapTypeReference(typeReference);
  const rootSelections = fields.flatMap(({ field: { selectionSet } }) =>
    selectionSet === undefined ? [] : [{ selectionSet, typeName }],
  );
  const isObject = !isMeta && rootSelections.length > 0;
  const fieldTreatment = decideFieldTreatment(rootType, rootName, false);
  const rootShape: FieldShape = {
    key,
    type: typeReference,
    kind: isObject ? 'object' : !isMeta && fieldTreatment.kind === 'forwarded' ? fieldTreatment.as : 'plain',
    shape: isObject ? buildResponseShape(context, rootSelections) : undefined,
    serviceFields: [],
    isOrderContact: false,
  };
  const when = fields.map((one) => one.when);
  return {
    ...UNSENT_ROOT_DEFAULTS,
    key,
    name: rootName,
    type: typeReference,
    when,
    shape: rootShape,
    special: undefined,
  };
}

const UNSENT_ROOT_DEFAULTS = {
  runVariables: [],
  idleVariables: {},
  clientPathByPlatformKey: new Map<string, readonly (string | number)[]>(),
  nullsAll: new Set<string>(),
  read: (): unknown => undefined,
  opensCatalogue: false,
} as const;

export type RootFieldsToWrite = {
  readonly key: string;
  readonly fields: readonly FlattenedField[];
  /** Whether each request decides if the root runs, for example by its ownership check. */
  readonly isDecided: boolean;
  readonly overrides: Readonly<Record<string, string>>;
};

/**
 * Writes the root's fields for the platform, one text for each place in the client's document. Arguments in
 * `overrides` are replaced.
 */
export function writeRootFields(
  context: RootCompileContext,
  { key, fields, isDecided, overrides }: RootFieldsToWrite,
) {
  const { writer, rootType } = context;
  const runVariables: RootRunVariable[] = [];
  const rootTexts = fields.map(({ field, when }, occurrence) => {
    const args = writeArguments(writer, field, rootType, overrides);
    const include = writeIncludeDirective(context, { isDecided, when, occurrence }, runVariables);
    const typeName = unwrapTypeReference(typeOfField(rootType, field.name.value) ?? '');
    const selection = writeBracedSelection(writer, field, { typeName, isFromCustomer: false });
    const name = field.name.value;
    return `${key === name ? '' : `${key}: `}${name}${args}${include}${selection}`;
  });
  return { texts: rootTexts, runVariables };
}

export type RootRunCondition = {
  readonly isDecided: boolean;
  readonly when: readonly IncludeCondition[];
  /** The field's place among those that share its response key. */
  readonly occurrence: number;
};

/**
 * Returns `@include` with an internal variable, the client's conditions included, when the request decides
 * whether the root runs; empty when it always runs. A mutation is a request of its own, so it needs none.
 */
export function writeIncludeDirective(
  { writer, rootType, index }: RootCompileContext,
  { isDecided, when, occurrence }: RootRunCondition,
  run: RootRunVariable[],
): string {
  const isUnconditional = !isDecided && when.length === 0;
  if (isUnconditional || (rootType === 'Mutation' && when.length === 0)) return '';
  const runVariable = `${SERVICE_ALIAS}Run${index}${occurrence === 0 ? '' : `_${occurrence}`}`;
  run.push({ variable: runVariable, when });
  return ` @include(if: ${declareVariable(writer, runVariable, 'Boolean!')})`;
}
