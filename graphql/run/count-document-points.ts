/**
 * Counts a document's points by the formula of lib/platform/admin-api/query-points.ts: a scalar 0, an object 1, money
 * and addresses 0, a mutation 10 with its connections. If several types are possible, the most expensive one counts. A root
 * with ids counts once for each id.
 */
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';
import { countConnectionPoints, MUTATION_POINTS } from '../../lib/platform/admin-api/query-points.ts';
import { fieldType, namedType, possibleTypes } from '../compile/selection/type-reference.ts';
import type { Variables } from '../plan/client-document.ts';

type PointsWalk = {
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly variables: Variables;
  /** Below a mutation, objects are free unless they are in connections. */
  readonly objectPoints: number;
};

/**
 * Returns the points of a document with one operation.
 * @throws Error when it cannot be parsed
 */
export function countDocumentPoints(text: string, variables: Variables): number {
  const document = parse(text, { noLocation: true });
  const operation = document.definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  if (operation?.kind !== Kind.OPERATION_DEFINITION) return 0;
  const isMutation = operation.operation === 'mutation';
  const values = { ...defaultVariables(operation), ...variables };
  const walk = { fragments: fragmentsByName(document), variables: values, objectPoints: isMutation ? 0 : 1 };
  const typeName = isMutation ? 'Mutation' : 'QueryRoot';
  const fields = fieldsOn(operation.selectionSet, typeName, walk);
  const points = fields.map((field) => fieldPoints(field, typeName, walk));
  return sum(points) + (isMutation ? MUTATION_POINTS * fields.length : 0);
}

function defaultVariables({ variableDefinitions = [] }: OperationDefinitionNode): Variables {
  const values = variableDefinitions.map(({ variable, defaultValue }) => [
    variable.name.value,
    readValue(defaultValue, {}),
  ]);
  return Object.fromEntries(values);
}

function fragmentsByName(document: DocumentNode): PointsWalk['fragments'] {
  const found = document.definitions.filter((one) => one.kind === Kind.FRAGMENT_DEFINITION);
  return new Map(found.map((one) => [one.name.value, one]));
}

function fieldPoints(field: FieldNode, parent: string, walk: PointsWalk): number {
  const reference = fieldType(parent, field.name.value);
  if (reference === undefined || field.selectionSet === undefined) return 0;
  const type = namedType(reference);
  if (isFree(type)) return 0;
  if (type.endsWith('Connection')) return pagePoints(field, type, walk);
  const ids =
    parent === 'QueryRoot' && field.name.value === 'nodes' ? readArgument(field, 'ids', walk) : undefined;
  const times = Array.isArray(ids) ? ids.length : 1;
  return times * (walk.objectPoints + selectionPoints(field.selectionSet, type, walk));
}

/** Whether the type is free: values without an identity, including everything below them. */
function isFree(type: string): boolean {
  return type === 'PageInfo' || /^Money(?:V2|Bag)$|Address$/.test(type);
}

function pagePoints(field: FieldNode, type: string, walk: PointsWalk): number {
  const inside = { ...walk, objectPoints: 1 };
  const size = readArgument(field, 'first', walk) ?? readArgument(field, 'last', walk);
  return countConnectionPoints(nodePoints(field.selectionSet, type, inside), Number(size ?? 0));
}

/** Returns the points of one node, in `nodes` or in an edge. The edge itself is free. */
function nodePoints(selection: SelectionSetNode | undefined, type: string, walk: PointsWalk): number {
  if (selection === undefined) return 0;
  const parts = fieldsOn(selection, type, walk).map((part) => {
    const below = namedType(fieldType(type, part.name.value) ?? '');
    if (part.name.value === 'edges') return nodePoints(part.selectionSet, below, walk);
    const isNode = part.name.value === 'nodes' || part.name.value === 'node';
    if (!isNode || part.selectionSet === undefined) return fieldPoints(part, type, walk);
    return walk.objectPoints + selectionPoints(part.selectionSet, below, walk);
  });
  return sum(parts);
}

function selectionPoints(selection: SelectionSetNode, type: string, walk: PointsWalk): number {
  const each = possibleTypes(type).map((one) =>
    sum(fieldsOn(selection, one, walk).map((field) => fieldPoints(field, one, walk))),
  );
  return Math.max(0, ...each);
}

/** Returns the selected fields of an object type, fragments expanded. */
function fieldsOn(selection: SelectionSetNode, type: string, walk: PointsWalk): FieldNode[] {
  return selection.selections.flatMap((part) => {
    if (!isIncluded(part, walk)) return [];
    if (part.kind === Kind.FIELD) return [part];
    const fragment = part.kind === Kind.INLINE_FRAGMENT ? part : walk.fragments.get(part.name.value);
    const condition = fragment?.typeCondition?.name.value;
    const applies = condition === undefined || condition === type || possibleTypes(condition).includes(type);
    return fragment === undefined || !applies ? [] : fieldsOn(fragment.selectionSet, type, walk);
  });
}

function isIncluded({ directives = [] }: SelectionSetNode['selections'][number], walk: PointsWalk): boolean {
  return directives.every((directive) => {
    const condition = readArgument(directive, 'if', walk) === true;
    return directive.name.value === 'skip' ? !condition : condition;
  });
}

type NodeWithArguments = Pick<FieldNode, 'arguments'>;

function readArgument(
  { arguments: given = [] }: NodeWithArguments,
  name: string,
  { variables }: PointsWalk,
): unknown {
  return readValue(given.find((one) => one.name.value === name)?.value, variables);
}

function readValue(value: ValueNode | undefined, variables: Variables): unknown {
  if (value?.kind === Kind.VARIABLE) return variables[value.name.value];
  if (value?.kind === Kind.LIST) return value.values.map((one) => readValue(one, variables));
  if (value?.kind === Kind.INT) return Number(value.value);
  return value?.kind === Kind.BOOLEAN ? value.value : undefined;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
