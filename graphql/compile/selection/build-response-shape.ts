/** Builds the shape of a response from the client's selection, with fragments expanded. Limits the number of fields. */
import type { FieldNode, FragmentDefinitionNode, SelectionNode, SelectionSetNode } from 'graphql';
import { ServiceError } from '../../../lib/errors/service-error.ts';
import type { IncludeCondition } from '../../plan/client-document.ts';
import {
  type FieldShape,
  needsWalk,
  type ResponseShape,
  type ServiceField,
  type ServiceSelection,
} from '../../plan/response-shape.ts';
import type { UpstreamWriter } from '../../plan/upstream-document.ts';
import { MAX_SELECTED_FIELDS } from '../../policy/limits/limits.ts';
import { decideFieldTreatment, isOrderContact, writeVisibilityCheck } from './field-treatment.ts';
import { readConditions } from './flatten-selection.ts';
import { hasFurtherRead, writeFurtherRead } from './further-read.ts';
import { isBlankSelection } from './is-blank.ts';
import { createFieldArgumentsReader } from './read-arguments.ts';
import {
  buildServiceSelection,
  type ServiceFieldNode,
  type ServiceSelectionContext,
} from './service-selection.ts';
import { unwrapTypeReference } from './type-reference.ts';

export type ResponseShapeContext = {
  /** The writer of the root, for fields that need a further request. */
  readonly writer: UpstreamWriter;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly isActing: boolean;
  /**
   * The number of fields that the document may still select. A document whose fragments multiply is refused before it
   * takes much memory.
   */
  readonly budget: { remaining: number };
};

/** A selection set and its parent type. */
export type SelectionOnType = { readonly selectionSet: SelectionSetNode; readonly typeName: string };

type FieldDraft = {
  readonly key: string;
  type: string;
  kind: FieldShape['kind'];
  readonly subselections: SelectionOnType[];
  readonly serviceFields: ServiceFieldDraft[];
  isOrderContact: boolean;
};

type ServiceFieldDraft = Pick<ServiceField, 'coordinate' | 'marker' | 'args'> & {
  readonly type: string;
  readonly nodes: ServiceFieldNode[];
};

/**
 * Builds the shape of objects that match all of these selections. `hasServiceAliases`: the service has added keys to all
 * of these objects, so that they are always rebuilt without these keys.
 * @throws QUERY_TOO_COMPLEX when fragments multiply.
 */
export function buildResponseShape(
  context: ResponseShapeContext,
  selections: readonly SelectionOnType[],
  hasServiceAliases = false,
): ResponseShape {
  const fieldDraftByKey = new Map<string, FieldDraft>();
  for (const { selectionSet, typeName } of selections) {
    collectFields(context, { selections: selectionSet.selections, typeName, when: [] }, fieldDraftByKey);
  }
  const fieldShapes = [...fieldDraftByKey.values()].map((fieldDraft) => finishField(context, fieldDraft));
  const isPartlyBlank = selections.some(({ selectionSet }) =>
    isBlankSelection(selectionSet, context.fragments),
  );
  const hasServiceFields = fieldShapes.some(
    ({ kind, serviceFields }) => serviceFields.length > 0 || kind.startsWith('metafield'),
  );
  return {
    fields: fieldShapes,
    fieldsToWalk: fieldShapes.filter(needsWalk),
    isOwnerChecked:
      context.isActing && selections.some(({ typeName }) => writeVisibilityCheck(typeName) !== ''),
    isRebuilt: hasServiceFields || hasServiceAliases || isPartlyBlank,
  };
}

type SelectionLevel = {
  readonly selections: readonly SelectionNode[];
  readonly typeName: string;
  readonly when: readonly IncludeCondition[];
};

function collectFields(
  context: ResponseShapeContext,
  level: SelectionLevel,
  draftByKey: Map<string, FieldDraft>,
): void {
  for (const selection of level.selections) {
    const ownConditions = readConditions(selection);
    if (ownConditions === 'never') continue;
    const fieldConditions = ownConditions.length === 0 ? level.when : [...level.when, ...ownConditions];
    if (selection.kind === 'Field') {
      addField(context, { field: selection, typeName: level.typeName, when: fieldConditions }, draftByKey);
      continue;
    }
    const spreadTarget =
      selection.kind === 'InlineFragment' ? selection : findFragment(context, selection.name.value);
    const typeName = spreadTarget.typeCondition?.name.value ?? level.typeName;
    collectFields(
      context,
      { selections: spreadTarget.selectionSet.selections, typeName, when: fieldConditions },
      draftByKey,
    );
  }
}

function findFragment({ fragments }: ResponseShapeContext, name: string): FragmentDefinitionNode {
  const fragment = fragments.get(name);
  if (fragment === undefined) throw new ServiceError('GRAPHQL_VALIDATION_FAILED');
  return fragment;
}

type SelectedField = {
  readonly field: FieldNode;
  readonly typeName: string;
  readonly when: readonly IncludeCondition[];
};

function addField(
  context: ResponseShapeContext,
  { field, typeName, when }: SelectedField,
  draftByKey: Map<string, FieldDraft>,
): void {
  countSelectedField(context);
  const key = field.alias?.value ?? field.name.value;
  const fieldTreatment = decideFieldTreatment(typeName, field.name.value, context.isActing);
  const fieldDraft = draftByKey.get(key) ?? createFieldDraft(key, fieldTreatment.type);
  draftByKey.set(key, fieldDraft);
  if (fieldTreatment.kind === 'service') {
    addServiceField(fieldDraft, fieldTreatment, { field, typeName, when });
    return;
  }
  fieldDraft.type = fieldTreatment.type;
  fieldDraft.kind = fieldTreatment.as;
  fieldDraft.isOrderContact ||= context.isActing && isOrderContact(typeName, field.name.value);
  if (field.selectionSet !== undefined) {
    fieldDraft.subselections.push({
      selectionSet: field.selectionSet,
      typeName: unwrapTypeReference(fieldTreatment.type),
    });
  }
}

function createFieldDraft(key: string, type: string): FieldDraft {
  return { key, type, kind: 'plain', subselections: [], serviceFields: [], isOrderContact: false };
}

function addServiceField(
  fieldDraft: FieldDraft,
  treatment: ServiceTreatment,
  { field, typeName, when }: SelectedField,
): void {
  const { coordinate, marker, type } = treatment;
  const existingField = fieldDraft.serviceFields.find(
    (one) => one.coordinate === coordinate && one.marker === marker,
  );
  if (existingField !== undefined) existingField.nodes.push({ field, when });
  else {
    const args = createFieldArgumentsReader(typeName, field);
    fieldDraft.serviceFields.push({ coordinate, marker, type, args, nodes: [{ field, when }] });
  }
}

type ServiceTreatment = Pick<ServiceField, 'coordinate' | 'marker'> & { readonly type: string };

function finishField(context: ResponseShapeContext, fieldDraft: FieldDraft): FieldShape {
  const { key, type, kind, isOrderContact: isContact } = fieldDraft;
  const shape = kind === 'object' ? buildResponseShape(context, fieldDraft.subselections) : undefined;
  const serviceFields = fieldDraft.serviceFields.map((one) => finishServiceField(context, one));
  return { key, type, kind, shape, serviceFields, isOrderContact: isContact };
}

function finishServiceField(
  context: ResponseShapeContext,
  { nodes, type, ...service }: ServiceFieldDraft,
): ServiceField {
  if (hasFurtherRead(service.coordinate)) {
    const read = {
      ...writeFurtherRead(context.writer, nodes),
      shape: buildObjectShape(context, { type, nodes }),
    };
    return { ...service, selection: undefined, furtherRead: read, when: nodes.map(({ when }) => when) };
  }
  const isObject = nodes.some(({ field }) => field.selectionSet !== undefined);
  const selection = isObject ? compileServiceSelection(context, nodes, unwrapTypeReference(type)) : undefined;
  return { ...service, selection, when: nodes.map(({ when }) => when) };
}

/** Compiles the selection of a value that the service computes, with the shapes of the platform objects inside it. */
export function compileServiceSelection(
  context: ResponseShapeContext,
  nodes: readonly ServiceFieldNode[],
  typeName: string,
): ServiceSelection {
  const serviceContext: ServiceSelectionContext = {
    fragments: context.fragments,
    countSelectedField: () => countSelectedField(context),
    buildPartShape: ({ key, type, nodes: fields }) => ({
      ...buildObjectShape(context, { type, nodes: fields.map((field) => ({ field })) }),
      key,
    }),
  };
  return buildServiceSelection(serviceContext, nodes, typeName);
}

/** Returns the shape of a platform object that is selected at all of these places, and that may have internal keys. */
function buildObjectShape(
  context: ResponseShapeContext,
  { type, nodes }: { readonly type: string; readonly nodes: readonly Pick<ServiceFieldNode, 'field'>[] },
): FieldShape {
  const subfields = nodes.flatMap(({ field: { selectionSet } }) =>
    selectionSet === undefined ? [] : [{ selectionSet, typeName: unwrapTypeReference(type) }],
  );
  const shape = buildResponseShape(context, subfields, true);
  return { key: '', type, kind: 'object', shape, serviceFields: [], isOrderContact: false };
}

function countSelectedField({ budget }: ResponseShapeContext): void {
  budget.remaining -= 1;
  if (budget.remaining >= 0) return;
  throw new ServiceError('QUERY_TOO_COMPLEX', {
    message: `The document selects more than ${MAX_SELECTED_FIELDS} fields when its fragments are spread out.`,
  });
}
