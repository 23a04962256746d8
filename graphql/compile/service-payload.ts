/**
 * Compiles the mutations that the service performs itself, such as `subscriptionBillingCycleSkip`, and builds their payloads.
 * The service sends its own documents for the change, with the client's selection of the changed object, for example of
 * `contract`. It resolves the other fields of the payload, such as `userErrors`.
 */
import type { FieldNode } from 'graphql';
import type { ClientSelection } from '../../lib/subscriptions/operation.ts';
import type { OperationOutcome } from '../../lib/subscriptions/operation-error.ts';
import { adviceOfUserError } from '../../lib/subscriptions/user-error-advice.ts';
import type { FlattenedField, Variables } from '../plan/client-document.ts';
import type { MutationRecord } from '../plan/mutation-record.ts';
import type { CompiledServiceMutation, PayloadObject, ServicePayload } from '../plan/plan.ts';
import type { CompiledRoot } from '../plan/root-handler.ts';
import type { UpstreamWriter } from '../plan/upstream-document.ts';
import { getAdminSchema } from '../schema/schema.ts';
import type { RootCompilation } from './compile-roots.ts';
import {
  EVENT_CONTRACT_KEY,
  PAYLOAD_EVENT_COORDINATE,
  PAYLOAD_EVENT_KEY,
} from './selection/field-treatment.ts';
import {
  areConditionsMet,
  flattenSelection,
  groupByResponseKey,
  responseKeyOf,
} from './selection/flatten-selection.ts';
import { isNonNullReference, typeOfField, unwrapTypeReference } from './selection/type-reference.ts';
import { createUpstreamWriter, finishUpstreamDocument } from './selection/upstream-writer.ts';
import { writeBracedSelection, writePlatformParts } from './selection/write-selection.ts';

type MutationRootInput = Pick<RootCompilation, 'root' | 'writer' | 'fields'>;

/**
 * Compiles a mutation that the service performs itself. The client's document for it is not forwarded; its arguments and
 * those in the payload's selection are evaluated together.
 * @throws Error when the mutation has no record in graphql/mutations/
 */
export function compileServiceMutation(
  { root, writer, fields }: MutationRootInput,
  mutation: MutationRecord | undefined,
): { readonly root: CompiledRoot; readonly serviceMutation: CompiledServiceMutation } {
  const [firstField] = fields;
  if (firstField === undefined || mutation?.kind !== 'service') throw new Error(`${root.name} has no record`);
  const servicePayload = compileRootPayload({ root, writer, fields }, mutation.objectFields);
  const { key, name } = root;
  const rootOverrides = {
    injected: [...root.injected, ...servicePayload.writer.scope],
    read: (data: Variables) => data[key],
    clientPathByPlatformKey: new Map([[key, [key]]]),
  };
  return {
    root: { ...withRebuiltShape(root), ...rootOverrides },
    serviceMutation: {
      mutation,
      mutationField: findFieldDefinition(name, firstField.field),
      payload: servicePayload,
    },
  };
}

/**
 * Marks a root whose payload has fields from the platform and fields of the service. The response is then built by the
 * shape, in the order of the client's fields.
 */
export function withRebuiltShape(root: CompiledRoot): CompiledRoot {
  const shape = root.shape.shape && { ...root.shape.shape, isRebuilt: true };
  return { ...root, shape: { ...root.shape, shape } };
}

/**
 * Returns the client's field of a mutation with its definition in the schema.
 * @throws Error when the schema has no such mutation
 */
export function findFieldDefinition(
  name: string,
  field: FieldNode,
): CompiledServiceMutation['mutationField'] {
  const definition = getAdminSchema().getMutationType()?.getFields()[name];
  if (definition === undefined) throw new Error(`no mutation ${name}`);
  return { field, definition };
}

/** Compiles the payload of a mutation. `objectFields` names its fields whose values the platform returns, for example `contract`. */
export function compileRootPayload(
  { root, writer, fields }: MutationRootInput,
  objectFields: readonly string[],
): ServicePayload {
  // A new writer, so that the arguments of the mutation itself are not declared in the payload's document. It shares
  // `injected`, so that the names of injected variables stay distinct.
  const payloadWriter = {
    ...createUpstreamWriter(writer.client, writer.isActing),
    injected: writer.injected,
  };
  return compilePayload(payloadWriter, fields, { typeName: unwrapTypeReference(root.type), objectFields });
}

function compilePayload(
  writer: UpstreamWriter,
  fields: readonly FlattenedField[],
  payload: { readonly typeName: string; readonly objectFields: readonly string[] },
): ServicePayload {
  const { typeName, objectFields } = payload;
  const payloadFields = fields.flatMap(({ field, when }) =>
    field.selectionSet === undefined ? [] : flattenSelection(writer.client, field.selectionSet, when),
  );
  const isTimelineEventField = ({ field }: FlattenedField) => isEventField(typeName, field);
  const isForwardedField = ({ field }: FlattenedField) => objectFields.includes(field.name.value);
  const [forwardedFields, ownFields] = [
    payloadFields.filter(isForwardedField),
    payloadFields.filter((one) => !isForwardedField(one) && !isTimelineEventField(one)),
  ];
  const payloadObjects = forwardedFields.map(({ field, when }): PayloadObject => {
    const fieldName = field.name.value;
    const nestedContext = {
      typeName: unwrapTypeReference(typeOfField(typeName, fieldName) ?? ''),
      isFromCustomer: false,
    };
    return {
      key: responseKeyOf(field),
      field: fieldName,
      selection: writeBracedSelection(writer, field, nestedContext),
      when,
    };
  });
  const eventObjects = selectEventContract(writer, payloadFields.filter(isTimelineEventField));
  return {
    ...{
      typeName,
      resolvedFields: ownFields,
      writer,
      payloadObjects: [...payloadObjects, ...eventObjects],
      hasEvent: payloadFields.some(isTimelineEventField),
    },
    upstream: finishUpstreamDocument(writer, []),
  };
}

function isEventField(typeName: string, { name }: FieldNode): boolean {
  return unwrapTypeReference(typeOfField(typeName, name.value) ?? '') === 'SubscriptionEvent';
}

/** Selects the contract once more if the client selects platform objects of the event, such as the customer who acted. */
function selectEventContract(writer: UpstreamWriter, events: readonly FlattenedField[]): PayloadObject[] {
  const eventTexts = events.map(({ field, when }) =>
    writePlatformParts(writer, field, {
      coordinate: PAYLOAD_EVENT_COORDINATE,
      type: 'SubscriptionEvent',
      when,
    }),
  );
  const selection = eventTexts.join('').trim();
  return selection === ''
    ? []
    : [{ key: EVENT_CONTRACT_KEY, field: 'contract', selection: `{ ${selection} }`, when: [] }];
}

const EMPTY_SELECTION: ClientSelection = {
  payloadFields: [],
  declarations: [],
  variables: {},
  fragments: '',
};

/**
 * Returns the selection of the changed objects for one request. `variables` are the client's, `values` those that the
 * selection's document declares. An object that the client's `@skip` or `@include` leaves out is written with
 * `@include(if: false)`, because the platform rejects a declared variable that no selection uses.
 * @returns an empty selection when the client selects no object
 */
export function bindChangedObjectsSelection(
  { payloadObjects, upstream }: ServicePayload,
  variables: Variables,
  values: Variables,
): ClientSelection {
  const objectTexts = payloadObjects.map(({ key, field, selection, when }) => {
    const isVisible = areConditionsMet(when, variables);
    return { key, field, isVisible, selection: isVisible ? selection : `@include(if: false) ${selection}` };
  });
  if (!objectTexts.some(({ isVisible }) => isVisible)) return EMPTY_SELECTION;
  return {
    payloadFields: objectTexts.map(({ key, field, selection }) => ({ key, field, selection })),
    declarations: upstream.variableDeclarations,
    variables: values,
    fragments: upstream.fragments,
  };
}

/** Builds the payload from the platform's objects and the fields that the service resolves, before the shape orders it. */
export function assemblePayload(
  { resolvedFields, payloadObjects, typeName, writer, hasEvent }: ServicePayload,
  { selectedFields, userErrors, locals: localValues = {}, entry }: PayloadInput,
  variables: Variables,
): Record<string, unknown> {
  const visibleFields = payloadObjects.filter(({ when }) => areConditionsMet(when, variables));
  const payloadValue = Object.fromEntries(
    visibleFields.map(({ key }) => [key, selectedFields?.[key] ?? null]),
  );
  const projectionContext = { writer, variables };
  return {
    ...payloadValue,
    ...(hasEvent && { [PAYLOAD_EVENT_KEY]: entry }),
    ...projectPayloadValue(
      projectionContext,
      {
        ...localValues,
        userErrors: userErrors.map((one) => ({ ...one, advice: adviceOfUserError(one.code) })),
      },
      { typeName, fields: resolvedFields },
    ),
  };
}

type PayloadInput = Pick<OperationOutcome, 'selectedFields' | 'locals' | 'entry'> & {
  /** User errors of the payload's own type: those of forwarded mutations may have no code. */
  readonly userErrors: readonly Readonly<Record<string, unknown>>[];
};
type PayloadProjection = { readonly writer: UpstreamWriter; readonly variables: Variables };
type SelectedFields = { readonly typeName: string; readonly fields: readonly FlattenedField[] };

/**
 * Returns the selected fields of a service value by response key. Several selections under one key are merged. A field
 * that the value does not have is an empty list if its type is a non-null list, else null.
 */
function projectPayloadValue(
  projection: PayloadProjection,
  value: Readonly<Record<string, unknown>>,
  { typeName, fields }: SelectedFields,
): Record<string, unknown> {
  const visibleFields = fields.filter(({ when }) => areConditionsMet(when, projection.variables));
  const payloadEntries = [...groupByResponseKey(visibleFields)].map(([key, fieldsAtKey]) => {
    const fieldName = fieldsAtKey[0]?.field.name.value ?? '';
    if (fieldName === '__typename') return [key, typeName];
    const typeReference = typeOfField(typeName, fieldName) ?? '';
    const fieldValue =
      value[fieldName] ?? (typeReference.startsWith('[') && isNonNullReference(typeReference) ? [] : null);
    const selectionSets = fieldsAtKey.flatMap(({ field: { selectionSet } }) => selectionSet ?? []);
    if (selectionSets.length === 0 || fieldValue === null) return [key, fieldValue];
    const subfields = selectionSets.flatMap((set) => flattenSelection(projection.writer.client, set));
    const nestedSelection = { typeName: unwrapTypeReference(typeReference), fields: subfields };
    const objects = (Array.isArray(fieldValue) ? fieldValue : [fieldValue]) as Readonly<
      Record<string, unknown>
    >[];
    const projectedValues = objects.map((one) => projectPayloadValue(projection, one, nestedSelection));
    return [key, Array.isArray(fieldValue) ? projectedValues : projectedValues[0]];
  });
  return Object.fromEntries(payloadEntries);
}
