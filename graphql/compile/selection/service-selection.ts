/**
 * Compiles a client's selection of a service value, such as a pause. Some of its fields are platform objects,
 * such as the customer who paused; those are parts of the upstream document.
 */
import type { FieldNode, FragmentDefinitionNode, SelectionSetNode } from 'graphql';
import type { FieldShape, SelectedField, ServiceSelection } from '../../plan/answer-shape.ts';
import type { Condition } from '../../plan/client-document.ts';
import { conditionsOf, responseKey } from './flatten-selection.ts';
import { SERVICE_ALIAS } from './service-alias.ts';
import { fieldType, namedType, possibleTypes } from './type-reference.ts';

/** Fields of our own types that hold an object of the platform's. */
const PARTS = new Set([
  'SubscriptionEventActor.customer',
  'SubscriptionLineOption.product',
  'SubscriptionLineOption.productVariant',
  'SubscriptionLineOption.sellingPlan',
]);

/** The concrete type of a service value in a field of an abstract type. */
const CONCRETE: Readonly<Record<string, string>> = { Event: 'SubscriptionEvent', Node: 'SubscriptionEvent' };

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/** A field of a service value at one location of the document. */
export type ServiceNode = {
  readonly field: FieldNode;
  /** All conditions from the value's own place downward. */
  readonly when: readonly Condition[];
};

/** The fields in a selection of a value of this type, fragments opened; those of other types are left out. */
function serviceNodes(
  fragments: Fragments,
  { selectionSet, when }: { readonly selectionSet: SelectionSetNode; readonly when: readonly Condition[] },
  typeName: string,
): ServiceNode[] {
  return selectionSet.selections.flatMap((selection): ServiceNode[] => {
    const own = conditionsOf(selection);
    if (own === 'never') return [];
    const all = own.length === 0 ? when : [...when, ...own];
    if (selection.kind === 'Field') return [{ field: selection, when: all }];
    const spread = selection.kind === 'InlineFragment' ? selection : fragments.get(selection.name.value);
    const condition = spread?.typeCondition?.name.value ?? typeName;
    if (spread === undefined || !possibleTypes(condition).includes(typeName)) return [];
    return serviceNodes(fragments, { selectionSet: spread.selectionSet, when: all }, typeName);
  });
}

/** Returns the concrete type of a service field's value. */
function serviceType(typeName: string, fieldName: string): string {
  const named = namedType(fieldType(typeName, fieldName) ?? '');
  return CONCRETE[named] ?? named;
}

/** Whether a field of a service value is a platform object. */
function isPart(typeName: string, fieldName: string): boolean {
  return PARTS.has(`${typeName}.${fieldName}`);
}

const ALIAS = `${SERVICE_ALIAS}At`;

/** The key under which the platform answers a part: unlike that of any other place in the document. */
export function partAlias({ loc }: FieldNode): string {
  return `${ALIAS}${loc?.start}`;
}

/** Whether a key of the platform's answer is that of a part. */
export function isPartAlias(key: string): boolean {
  return key.startsWith(ALIAS);
}

/** The key under which a part answers its own id. */
export const PART_ID = `${SERVICE_ALIAS}Id`;

/** A part in one place of the document. */
export type ServicePart = ServiceNode & {
  /** The type of what is selected there. */
  readonly typeName: string;
  /** The response keys from the value that holds it; two parts with the same keys are one object of the answer. */
  readonly at?: readonly string[];
};

/** Returns the parts below a location where a service value of the type `typeName` is selected. */
export function serviceParts(
  fragments: Fragments,
  { field, when, typeName, at = [] }: ServicePart,
): ServicePart[] {
  if (field.selectionSet === undefined) return [];
  const inside = serviceNodes(fragments, { selectionSet: field.selectionSet, when }, typeName);
  return inside.flatMap((one) => {
    const name = one.field.name.value;
    const below = { ...one, typeName: serviceType(typeName, name), at: [...at, responseKey(one.field)] };
    return isPart(typeName, name) ? [below] : serviceParts(fragments, below);
  });
}

export type ServiceSelectionContext = {
  readonly fragments: Fragments;
  /** Counts every field: a document whose fragments multiply is refused. */
  readonly spend: () => void;
  /** Gives the shape of a platform's object that is selected in these places. */
  readonly shapeOf: (part: {
    readonly key: string;
    readonly type: string;
    readonly nodes: readonly FieldNode[];
  }) => FieldShape;
};

/** The selection that these places make together. */
export function buildServiceSelection(
  context: ServiceSelectionContext,
  nodes: readonly ServiceNode[],
  typeName: string,
): ServiceSelection {
  const inside = nodes.flatMap(({ field: { selectionSet }, when }) =>
    selectionSet === undefined ? [] : serviceNodes(context.fragments, { selectionSet, when }, typeName),
  );
  const groups = Map.groupBy(inside, ({ field }) => responseKey(field));
  return { typeName, fields: [...groups].map(([key, group]) => toField(context, { key, group, typeName })) };
}

type Group = { readonly key: string; readonly group: readonly ServiceNode[]; readonly typeName: string };

function toField(context: ServiceSelectionContext, { key, group, typeName }: Group): SelectedField {
  for (const _ of group) context.spend();
  const name = group[0]?.field.name.value ?? '';
  const type = fieldType(typeName, name) ?? 'String';
  const field = { key, name, type, when: group.map(({ when }) => when) };
  if (isPart(typeName, name)) {
    const nodes = group.map((one) => one.field);
    const part = { aliases: nodes.map(partAlias), shape: context.shapeOf({ key, type, nodes }) };
    return {
      ...field,
      below: { typeName: namedType(type), fields: plainFields(context, group, type) },
      part,
    };
  }
  const isObject = group.some((one) => one.field.selectionSet !== undefined);
  const below = isObject ? buildServiceSelection(context, group, serviceType(typeName, name)) : undefined;
  return { ...field, below, part: undefined };
}

/** The fields of a part without what stands below them. */
function plainFields(
  { fragments }: ServiceSelectionContext,
  group: readonly ServiceNode[],
  type: string,
): SelectedField[] {
  const typeName = namedType(type);
  const nodes = group.flatMap(({ field: { selectionSet }, when }) =>
    selectionSet === undefined ? [] : serviceNodes(fragments, { selectionSet, when }, typeName),
  );
  return nodes.map(({ field, when }) => ({
    key: responseKey(field),
    name: field.name.value,
    type: fieldType(typeName, field.name.value) ?? 'String',
    when: [when],
    below: undefined,
    part: undefined,
  }));
}
