/**
 * The cost of a document, before execution (requested) and after it (actual). The platform does not publish its
 * formula; this one reproduces measurements: a scalar costs 0, an object 1, money and addresses 0, a mutation 10, and a
 * connection 2 + (cost of one node) · ⌊2 · ln(max(2, n))⌋, where the node itself costs 1. The requested cost uses
 * `first` or `last` for n, the actual cost the number of returned nodes. Below a mutation only connections cost. For a
 * union or interface, the most expensive possible type counts. A plain list of objects counts as one object. It is
 * unknown whether `nodes(ids:)` counts once or for each id: `nodesCost` decides.
 */
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getArgumentValues,
  getNamedType,
  isCompositeType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import type { BehaviourSettings } from '../../state/unpublished-behaviour.ts';
import { isSelectionIncluded } from '../lists/selected.ts';

type CostWalk = {
  schema: GraphQLSchema;
  fragments: Map<string, FragmentDefinitionNode>;
  variables: Record<string, unknown>;
  /** Objects outside connections are free below a mutation. */
  objectCost: number;
  nodesCost: NodesCost;
  /** The fields of the selections that this walk has already listed, by object type. */
  cachedFields: Map<SelectionSetNode, Map<GraphQLObjectType, TypedField[]>>;
};

type NodesCost = BehaviourSettings['nodesCost'];

export type ChargedRequest = {
  schema: GraphQLSchema;
  document: DocumentNode;
  operation: OperationDefinitionNode;
  variables: Record<string, unknown>;
  nodesCost: NodesCost;
};

/** Returns the points before execution: the document's selection, with `first` and `last` as the numbers of nodes. */
export function computeRequestedCost(request: ChargedRequest): number {
  return computeOperationCost(request, undefined);
}

/**
 * Returns the points after execution, from the response's data: null costs nothing, and connections count their nodes.
 * They are at most the points before execution.
 */
export function computeActualCost(request: ChargedRequest, data: unknown, requestedCost: number): number {
  return Math.min(computeOperationCost(request, data ?? null), requestedCost);
}

function computeOperationCost(
  { schema, document, operation, variables, nodesCost }: ChargedRequest,
  data: unknown,
): number {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  const isMutation = operation.operation === 'mutation';
  const root = isMutation ? schema.getMutationType() : schema.getQueryType();
  if (root == null) return 0;
  const cachedFields: CostWalk['cachedFields'] = new Map();
  const costWalk = { schema, fragments, variables, objectCost: isMutation ? 0 : 1, nodesCost, cachedFields };
  let totalCost = 0;
  for (const { field, type } of listSelectedFields(operation.selectionSet, root, costWalk)) {
    totalCost +=
      (isMutation ? 10 : 0) +
      computeFieldCost(field, type, { walk: costWalk, value: readFieldValue(data, field) });
  }
  return totalCost;
}

type WalkPosition = { walk: CostWalk; value: unknown };

/** Returns the cost of one field of an object type; `value` is undefined before execution. */
function computeFieldCost(
  field: FieldNode,
  parentType: GraphQLObjectType,
  { walk, value }: WalkPosition,
): number {
  const fieldDefinition = parentType.getFields()[field.name.value];
  if (fieldDefinition === undefined || field.selectionSet === undefined || value === null) return 0;
  const fieldType = getNamedType(fieldDefinition.type);
  if (!isCompositeType(fieldType) || isFreeValueType(fieldType)) return 0;
  if (fieldType.name.endsWith('Connection')) {
    const requestedSize = () => {
      const { first, last } = getArgumentValues(fieldDefinition, field, walk.variables);
      return Number(first ?? last ?? 0);
    };
    return computeConnectionCost(field.selectionSet, fieldType, { walk, value, requestedSize });
  }
  const valueItems = Array.isArray(value) ? value : [value];
  const itemCosts = valueItems.map(
    (item) => walk.objectCost + computeSelectionCost(field.selectionSet, fieldType, { walk, value: item }),
  );
  const isCostPerNode = field.name.value === 'nodes' && walk.nodesCost === 'each';
  if (!isCostPerNode) return Math.max(0, ...itemCosts);
  const { ids } = getArgumentValues(fieldDefinition, field, walk.variables);
  const objectCount = value === undefined && Array.isArray(ids) ? ids.length : 1;
  return objectCount * itemCosts.reduce((sum, cost) => sum + cost, 0);
}

/** Returns whether the type is a value without an identity, which is free together with its fields. */
function isFreeValueType({ name }: GraphQLCompositeType): boolean {
  return /^Money(?:V2|Bag)$|Address$/.test(name);
}

function computeConnectionCost(
  selection: SelectionSetNode,
  type: GraphQLCompositeType,
  { walk, value, requestedSize }: WalkPosition & { requestedSize: () => number },
): number {
  const nestedWalk = { ...walk, objectCost: 1 };
  const nodeCount = countReturnedNodes(value);
  let costPerNode = 0;
  for (const connectionField of listSelectedFields(selection, type as GraphQLObjectType, nestedWalk)) {
    costPerNode += computeCostPerNode(connectionField, { walk: nestedWalk, value });
  }
  if (nodeCount === 0) return 2;
  const n = nodeCount ?? requestedSize();
  return 2 + Math.round(costPerNode * Math.floor(2 * Math.log(Math.max(2, n))));
}

/** Returns the mean cost of one node, from a connection's `nodes` or `edges { node }`. */
function computeCostPerNode({ field, type }: TypedField, { walk, value }: WalkPosition): number {
  const fieldName = field.name.value;
  const fieldDefinition = type.getFields()[fieldName];
  if (fieldDefinition === undefined || field.selectionSet === undefined || fieldName === 'pageInfo') return 0;
  const itemType = getNamedType(fieldDefinition.type);
  if (!isCompositeType(itemType)) return 0;
  if (fieldName === 'edges') {
    return listSelectedFields(field.selectionSet, itemType as GraphQLObjectType, walk)
      .filter((inner) => inner.field.name.value === 'node')
      .reduce((sum, inner) => {
        const edgesValue = readFieldValue(value, field);
        const items = Array.isArray(edgesValue)
          ? edgesValue.map((edge) => readFieldValue(edge, inner.field))
          : undefined;
        return sum + computeMeanCost(inner, items, walk);
      }, 0);
  }
  const connectionItems = readFieldValue(value, field);
  return computeMeanCost({ field, type }, Array.isArray(connectionItems) ? connectionItems : undefined, walk);
}

function computeMeanCost({ field, type }: TypedField, items: unknown[] | undefined, walk: CostWalk): number {
  const fieldDefinition = type.getFields()[field.name.value];
  const nodeType = fieldDefinition === undefined ? undefined : getNamedType(fieldDefinition.type);
  if (!isCompositeType(nodeType)) return 0;
  if (items === undefined)
    return 1 + computeSelectionCost(field.selectionSet, nodeType, { walk, value: undefined });
  const totalCost = items.reduce<number>(
    (sum, item) => sum + computeSelectionCost(field.selectionSet, nodeType, { walk, value: item ?? null }),
    0,
  );
  return items.length === 0 ? 0 : 1 + totalCost / items.length;
}

function computeSelectionCost(
  selection: SelectionSetNode | undefined,
  type: GraphQLCompositeType,
  position: WalkPosition,
): number {
  if (selection === undefined || position.value === null) return 0;
  const possibleTypes = isObjectType(type) ? [type] : position.walk.schema.getPossibleTypes(type);
  const possibleCosts = possibleTypes.map((possibleType) =>
    listSelectedFields(selection, possibleType, position.walk).reduce(
      (sum, { field, type: ownerType }) =>
        sum +
        computeFieldCost(field, ownerType, {
          walk: position.walk,
          value: readFieldValue(position.value, field),
        }),
      0,
    ),
  );
  return Math.max(0, ...possibleCosts);
}

type TypedField = { field: FieldNode; type: GraphQLObjectType };

/**
 * Returns the fields that a selection takes from one object type, with fragments resolved and without skipped fields. A list
 * of nodes has the same fields for each node.
 */
function listSelectedFields(
  selection: SelectionSetNode,
  type: GraphQLObjectType,
  walk: CostWalk,
): TypedField[] {
  const fieldsByType = walk.cachedFields.get(selection) ?? new Map<GraphQLObjectType, TypedField[]>();
  walk.cachedFields.set(selection, fieldsByType);
  const selectedFields = fieldsByType.get(type) ?? findSelectedFields(selection, type, walk);
  fieldsByType.set(type, selectedFields);
  return selectedFields;
}

function findSelectedFields(
  selection: SelectionSetNode,
  type: GraphQLObjectType,
  walk: CostWalk,
): TypedField[] {
  const typedFields: TypedField[] = [];
  for (const node of selection.selections) {
    if (!isSelectionIncluded(node, walk.variables)) continue;
    if (node.kind === Kind.FIELD) {
      // A field without a selection is free.
      if (node.selectionSet !== undefined) typedFields.push({ field: node, type });
      continue;
    }
    const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : walk.fragments.get(node.name.value);
    if (
      fragment !== undefined &&
      typeConditionApplies(fragment.typeCondition?.name.value, type, walk.schema)
    ) {
      typedFields.push(...listSelectedFields(fragment.selectionSet, type, walk));
    }
  }
  return typedFields;
}

function typeConditionApplies(
  condition: string | undefined,
  type: GraphQLObjectType,
  schema: GraphQLSchema,
): boolean {
  if (condition === undefined || condition === type.name) return true;
  const conditionType = schema.getType(condition);
  return (
    conditionType !== undefined &&
    isCompositeType(conditionType) &&
    !isObjectType(conditionType) &&
    schema.isSubType(conditionType, type)
  );
}

/** Returns the field's value in the response, or undefined before execution. */
function readFieldValue(value: unknown, field: FieldNode): unknown {
  if (value === undefined || value === null) return value;
  return (value as Record<string, unknown>)[field.alias?.value ?? field.name.value] ?? null;
}

function countReturnedNodes(value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined;
  const nestedLists = Object.values(value).filter((list) => Array.isArray(list));
  return nestedLists.length === 0 ? 0 : Math.max(...nestedLists.map((list) => list.length));
}
