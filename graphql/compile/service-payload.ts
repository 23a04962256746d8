/**
 * The service's own mutations, and the payloads that the service builds. Such a mutation runs fixed documents: the client's
 * selection below the changed object goes to the platform, the service answers `userErrors` and `__typename`.
 */
import type { FieldNode } from 'graphql';
import type { AnswerSelection } from '../../lib/subscriptions/operation.ts';
import type { OperationOutcome } from '../../lib/subscriptions/operation-error.ts';
import type { FlatField, Variables } from '../plan/client-document.ts';
import type { MutationRecord } from '../plan/mutation-record.ts';
import type { PayloadPlace, ServicePayload, ServiceSelection } from '../plan/plan.ts';
import type { CompiledRoot } from '../plan/root-kind.ts';
import type { UpstreamWriter } from '../plan/upstream-document.ts';
import { adminSchema } from '../schema/schema.ts';
import type { RootParts } from './compile-roots.ts';
import { conditionsHold, flattenSelection, groupByKey, responseKey } from './selection/flatten-selection.ts';
import { fieldType, isNonNull, namedType } from './selection/type-reference.ts';
import { createWriter, finishDocument } from './selection/upstream-writer.ts';
import { bracedSelection } from './selection/write-selection.ts';

type Parts = Pick<RootParts, 'root' | 'writer' | 'fields'>;

/**
 * Compiles one of the service's own mutations. Nothing of it is forwarded, but its arguments are evaluated with those of the
 * payload's selection.
 */
export function compileOwn(
  { root, writer, fields }: Parts,
  mutation: MutationRecord | undefined,
): { readonly root: CompiledRoot; readonly own: ServiceSelection } {
  const [first] = fields;
  if (first === undefined || mutation?.kind !== 'service') throw new Error(`${root.name} has no record`);
  const payload = payloadOf({ root, writer, fields }, mutation.objects);
  const { key, name } = root;
  const answered = {
    injected: [...root.injected, ...payload.writer.scope],
    read: (data: Variables) => data[key],
    upstream: new Map([[key, [key]]]),
  };
  return {
    root: { ...rebuilt(root), ...answered },
    own: { mutation, call: callOf(name, first.field), payload },
  };
}

/** The payload has two sources, so that only the shape has the client's order. */
export function rebuilt(root: CompiledRoot): CompiledRoot {
  const shape = root.shape.shape && { ...root.shape.shape, isRebuilt: true };
  return { ...root, shape: { ...root.shape, shape } };
}

/** Returns the mutation's field with its definition in the schema. */
export function callOf(name: string, field: FieldNode): ServiceSelection['call'] {
  const definition = adminSchema().getMutationType()?.getFields()[name];
  if (definition === undefined) throw new Error(`no mutation ${name}`);
  return { field, definition };
}

/** Compiles the payload of a mutation. `objectFields` are the fields with the platform's objects, for example `contract`. */
export function payloadOf({ root, writer, fields }: Parts, objectFields: readonly string[]): ServicePayload {
  // The root's own arguments stay here; the names of computed arguments stay distinct.
  const below = { ...createWriter(writer.client, writer.isActing), injected: writer.injected };
  return compilePayload(below, fields, { typeName: namedType(root.type), objectFields });
}

function compilePayload(
  writer: UpstreamWriter,
  fields: readonly FlatField[],
  payload: { readonly typeName: string; readonly objectFields: readonly string[] },
): ServicePayload {
  const { typeName, objectFields } = payload;
  const flat = fields.flatMap(({ field, when }) =>
    field.selectionSet === undefined ? [] : flattenSelection(writer.client, field.selectionSet, when),
  );
  const [forwarded, ownFields] = [
    flat.filter(({ field }) => objectFields.includes(field.name.value)),
    flat.filter(({ field }) => !objectFields.includes(field.name.value)),
  ];
  const places = forwarded.map(({ field, when }): PayloadPlace => {
    const name = field.name.value;
    const below = { typeName: namedType(fieldType(typeName, name) ?? ''), isFromCustomer: false };
    return { key: responseKey(field), field: name, selection: bracedSelection(writer, field, below), when };
  });
  return { typeName, places, ownFields, upstream: finishDocument(writer, []), writer };
}

const NOTHING: AnswerSelection = { places: [], declarations: [], variables: {}, fragments: '' };

/**
 * The selection for one request: `variables` are the client's, `values` those that it declares. A place that the
 * client's conditions leave out stays in it, as left out: what its selection uses is declared for all places together.
 */
export function answerSelection(
  { places, upstream }: ServicePayload,
  variables: Variables,
  values: Variables,
): AnswerSelection {
  const written = places.map(({ key, field, selection, when }) => {
    const isVisible = conditionsHold(when, variables);
    return { key, field, isVisible, selection: isVisible ? selection : `@include(if: false) ${selection}` };
  });
  if (!written.some(({ isVisible }) => isVisible)) return NOTHING;
  return {
    places: written.map(({ key, field, selection }) => ({ key, field, selection })),
    declarations: upstream.declarations,
    variables: values,
    fragments: upstream.fragments,
  };
}

/** The payload before the walk: the platform's part, and the fields that are answered here. */
export function assemblePayload(
  { ownFields, places, typeName, writer }: ServicePayload,
  { answered, userErrors, locals: values = {} }: PayloadParts,
  variables: Variables,
): Record<string, unknown> {
  const visibleFields = places.filter(({ when }) => conditionsHold(when, variables));
  const payload = Object.fromEntries(visibleFields.map(({ key }) => [key, answered?.[key] ?? null]));
  const projection = { writer, variables };
  return { ...payload, ...project(projection, { ...values, userErrors }, { typeName, fields: ownFields }) };
}

type PayloadParts = Pick<OperationOutcome, 'answered' | 'locals'> & {
  /** User errors of the payload's own type: those of forwarded mutations may have no code. */
  readonly userErrors: readonly Readonly<Record<string, unknown>>[];
};
type Projection = { readonly writer: UpstreamWriter; readonly variables: Variables };
type Selected = { readonly typeName: string; readonly fields: readonly FlatField[] };

/**
 * Returns the selected fields of a service value by response key; several selections under one key are
 * merged. A field that the value lacks is null or an empty list.
 */
function project(
  projection: Projection,
  value: Readonly<Record<string, unknown>>,
  { typeName, fields }: Selected,
): Record<string, unknown> {
  const visibleFields = fields.filter(({ when }) => conditionsHold(when, projection.variables));
  const entries = [...groupByKey(visibleFields)].map(([key, places]) => {
    const name = places[0]?.field.name.value ?? '';
    if (name === '__typename') return [key, typeName];
    const type = fieldType(typeName, name) ?? '';
    const found = value[name] ?? (type.startsWith('[') && isNonNull(type) ? [] : null);
    const sets = places.flatMap(({ field: { selectionSet } }) => selectionSet ?? []);
    if (sets.length === 0 || found === null) return [key, found];
    const fieldsBelow = sets.flatMap((set) => flattenSelection(projection.writer.client, set));
    const below = { typeName: namedType(type), fields: fieldsBelow };
    const objects = (Array.isArray(found) ? found : [found]) as Readonly<Record<string, unknown>>[];
    const projected = objects.map((one) => project(projection, one, below));
    return [key, Array.isArray(found) ? projected : projected[0]];
  });
  return Object.fromEntries(entries);
}
