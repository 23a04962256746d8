/**
 * Compiles a client's selection of a value that the service computes, such as a pause. Some fields of such a value are
 * objects of the platform, such as the customer who paused. Their selections, the platform parts, are sent to the platform
 * in the upstream document.
 */
import type { FieldNode, FragmentDefinitionNode, SelectionSetNode } from 'graphql';
import type { IncludeCondition } from '../../plan/client-document.ts';
import type { FieldShape, SelectedServiceField, ServiceSelection } from '../../plan/response-shape.ts';
import { readConditions, responseKeyOf } from './flatten-selection.ts';
import { createFieldArgumentsReader, takesArguments } from './read-arguments.ts';
import { SERVICE_ALIAS } from './service-alias.ts';
import { listPossibleTypes, typeOfField, unwrapTypeReference } from './type-reference.ts';

/** The fields of the service's own types whose values are objects of the platform. */
const PLATFORM_FIELDS = new Set([
  'SubscriptionEventActor.customer',
  'SubscriptionLineOption.product',
  'SubscriptionLineOption.productVariant',
  'SubscriptionLineOption.sellingPlan',
]);

/** The concrete type of a service value in a field of an abstract type. */
const CONCRETE_TYPES: Readonly<Record<string, string>> = {
  Event: 'SubscriptionEvent',
  Node: 'SubscriptionEvent',
};

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/** A field of a service value, at one place in the client's document. */
export type ServiceFieldNode = {
  readonly field: FieldNode;
  /** The `@skip` and `@include` conditions of the field and of all selections around it, up to the service value. */
  readonly when: readonly IncludeCondition[];
};

/** Returns the fields that a selection has for a value of this concrete type, with those of its fragments for the type. */
function collectFieldNodesOfType(
  fragments: Fragments,
  {
    selectionSet,
    when,
  }: { readonly selectionSet: SelectionSetNode; readonly when: readonly IncludeCondition[] },
  typeName: string,
): ServiceFieldNode[] {
  return selectionSet.selections.flatMap((selection): ServiceFieldNode[] => {
    const ownConditions = readConditions(selection);
    if (ownConditions === 'never') return [];
    const fieldConditions = ownConditions.length === 0 ? when : [...when, ...ownConditions];
    if (selection.kind === 'Field') return [{ field: selection, when: fieldConditions }];
    const spread = selection.kind === 'InlineFragment' ? selection : fragments.get(selection.name.value);
    const spreadTypeName = spread?.typeCondition?.name.value ?? typeName;
    if (spread === undefined || !listPossibleTypes(spreadTypeName).includes(typeName)) return [];
    return collectFieldNodesOfType(
      fragments,
      { selectionSet: spread.selectionSet, when: fieldConditions },
      typeName,
    );
  });
}

/** Returns the concrete type of a service field's value. */
function concreteServiceType(typeName: string, fieldName: string): string {
  const namedType = unwrapTypeReference(typeOfField(typeName, fieldName) ?? '');
  return CONCRETE_TYPES[namedType] ?? namedType;
}

/** Whether a field of a service value is a platform object. */
function isPlatformField(typeName: string, fieldName: string): boolean {
  return PLATFORM_FIELDS.has(`${typeName}.${fieldName}`);
}

const PLATFORM_PART_ALIAS = `${SERVICE_ALIAS}At`;

/** Returns the alias of a platform part in the upstream document. It is unique, because it contains the field's offset in the client's document. */
export function platformPartAlias({ loc }: FieldNode): string {
  return `${PLATFORM_PART_ALIAS}${loc?.start}`;
}

/** Whether a response key of the platform is the alias of a platform part. */
export function isPlatformPartAlias(key: string): boolean {
  return key.startsWith(PLATFORM_PART_ALIAS);
}

/** The alias of the `id` that the service adds to the selection of a platform part. */
export const PLATFORM_PART_ID = `${SERVICE_ALIAS}Id`;

/** A platform object that the client selects below a service value, at one place in the client's document. */
export type PlatformPart = ServiceFieldNode & {
  /** The type of the field's value. */
  readonly typeName: string;
  /** The response keys from the service value to this field. Parts with equal keys are merged into one object of the response. */
  readonly responsePath?: readonly string[];
};

/** Returns the platform parts in the client's selection of a service value, whose type is `typeName`. */
export function findPlatformParts(
  fragments: Fragments,
  { field, when, typeName, responsePath = [] }: PlatformPart,
): PlatformPart[] {
  if (field.selectionSet === undefined) return [];
  const nestedNodes = collectFieldNodesOfType(
    fragments,
    { selectionSet: field.selectionSet, when },
    typeName,
  );
  return nestedNodes.flatMap((one) => {
    const fieldName = one.field.name.value;
    const nestedPart = {
      ...one,
      typeName: concreteServiceType(typeName, fieldName),
      responsePath: [...responsePath, responseKeyOf(one.field)],
    };
    return isPlatformField(typeName, fieldName) ? [nestedPart] : findPlatformParts(fragments, nestedPart);
  });
}

export type ServiceSelectionContext = {
  readonly fragments: Fragments;
  /** Counts one selected field. Throws when the document selects too many, because its fragments multiply. */
  readonly countSelectedField: () => void;
  /** Returns the shape of a platform object that is selected at all of `nodes`. */
  readonly buildPartShape: (part: {
    readonly key: string;
    readonly type: string;
    readonly nodes: readonly FieldNode[];
  }) => FieldShape;
};

/** Merges the selections at several places into the selection of one service value. */
export function buildServiceSelection(
  context: ServiceSelectionContext,
  nodes: readonly ServiceFieldNode[],
  typeName: string,
): ServiceSelection {
  const nestedNodes = nodes.flatMap(({ field: { selectionSet }, when }) =>
    selectionSet === undefined
      ? []
      : collectFieldNodesOfType(context.fragments, { selectionSet, when }, typeName),
  );
  const fieldsByKey = Map.groupBy(nestedNodes, ({ field }) => responseKeyOf(field));
  return {
    typeName,
    fields: [...fieldsByKey].map(([key, group]) => toSelectedServiceField(context, { key, group, typeName })),
  };
}

type ServiceFieldGroup = {
  readonly key: string;
  readonly group: readonly ServiceFieldNode[];
  readonly typeName: string;
};

function toSelectedServiceField(
  context: ServiceSelectionContext,
  { key, group, typeName }: ServiceFieldGroup,
): SelectedServiceField {
  for (const _ of group) context.countSelectedField();
  const fieldName = group[0]?.field.name.value ?? '';
  const typeReference = typeOfField(typeName, fieldName) ?? 'String';
  const args =
    group[0] && takesArguments(typeName, fieldName)
      ? createFieldArgumentsReader(typeName, group[0].field)
      : undefined;
  const selectedField = {
    key,
    name: fieldName,
    type: typeReference,
    when: group.map(({ when }) => when),
    ...(args && { args }),
  };
  if (isPlatformField(typeName, fieldName)) {
    const fieldNodes = group.map((one) => one.field);
    const part = {
      aliases: fieldNodes.map(platformPartAlias),
      shape: context.buildPartShape({ key, type: typeReference, nodes: fieldNodes }),
    };
    return {
      ...selectedField,
      subselection: {
        typeName: unwrapTypeReference(typeReference),
        fields: listPlatformPartFields(context, group, typeReference),
      },
      part,
    };
  }
  const hasSubselection = group.some((one) => one.field.selectionSet !== undefined);
  const subselection = hasSubselection
    ? buildServiceSelection(context, group, concreteServiceType(typeName, fieldName))
    : undefined;
  return { ...selectedField, subselection, part: undefined };
}

/**
 * Returns the fields of a platform part without their own selections. They are used when the platform's object is missing,
 * and only its id can be returned.
 */
function listPlatformPartFields(
  { fragments }: ServiceSelectionContext,
  group: readonly ServiceFieldNode[],
  type: string,
): SelectedServiceField[] {
  const typeName = unwrapTypeReference(type);
  const fieldNodes = group.flatMap(({ field: { selectionSet }, when }) =>
    selectionSet === undefined ? [] : collectFieldNodesOfType(fragments, { selectionSet, when }, typeName),
  );
  return fieldNodes.map(({ field, when }) => ({
    key: responseKeyOf(field),
    name: field.name.value,
    type: typeOfField(typeName, field.name.value) ?? 'String',
    when: [when],
    subselection: undefined,
    part: undefined,
  }));
}
