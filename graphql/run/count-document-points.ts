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
  valueFromASTUntyped,
} from 'graphql';
import { countConnectionPoints, MUTATION_POINTS } from '../../lib/platform/admin-api/query-points.ts';
import { listPossibleTypes, typeOfField, unwrapTypeReference } from '../compile/selection/type-reference.ts';
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
  const variablesWithDefaults = { ...collectDefaultVariables(operation), ...variables };
  const countContext = {
    fragments: mapFragmentsByName(document),
    variables: variablesWithDefaults,
    objectPoints: isMutation ? 0 : 1,
  };
  const typeName = isMutation ? 'Mutation' : 'QueryRoot';
  const rootFields = listSelectedFields(operation.selectionSet, typeName, countContext);
  const rootPoints = rootFields.map((field) => countFieldPoints(field, typeName, countContext));
  return sumNumbers(rootPoints) + (isMutation ? MUTATION_POINTS * rootFields.length : 0);
}

function collectDefaultVariables({ variableDefinitions = [] }: OperationDefinitionNode): Variables {
  const defaultEntries = variableDefinitions.map(({ variable, defaultValue }) => [
    variable.name.value,
    defaultValue && valueFromASTUntyped(defaultValue),
  ]);
  return Object.fromEntries(defaultEntries);
}

function mapFragmentsByName(document: DocumentNode): PointsWalk['fragments'] {
  const fragmentDefinitions = document.definitions.filter((one) => one.kind === Kind.FRAGMENT_DEFINITION);
  return new Map(fragmentDefinitions.map((one) => [one.name.value, one]));
}

function countFieldPoints(field: FieldNode, parent: string, walk: PointsWalk): number {
  const typeReference = typeOfField(parent, field.name.value);
  if (typeReference === undefined || field.selectionSet === undefined) return 0;
  const typeName = unwrapTypeReference(typeReference);
  if (isFreeType(typeName)) return 0;
  if (typeName.endsWith('Connection')) return countPagePoints(field, typeName, walk);
  const ids =
    parent === 'QueryRoot' && field.name.value === 'nodes' ? resolveArgument(field, 'ids', walk) : undefined;
  const objectCount = Array.isArray(ids) ? ids.length : 1;
  return objectCount * (walk.objectPoints + countSelectionPoints(field.selectionSet, typeName, walk));
}

/** Whether the type is free: values without an identity, including everything below them. */
function isFreeType(type: string): boolean {
  return type === 'PageInfo' || /^Money(?:V2|Bag)$|Address$/.test(type);
}

function countPagePoints(field: FieldNode, type: string, walk: PointsWalk): number {
  const nestedWalk = { ...walk, objectPoints: 1 };
  const size = resolveArgument(field, 'first', walk) ?? resolveArgument(field, 'last', walk);
  return countConnectionPoints(countNodePoints(field.selectionSet, type, nestedWalk), Number(size ?? 0));
}

/** Returns the points of one node, in `nodes` or in an edge. The edge itself is free. */
function countNodePoints(selection: SelectionSetNode | undefined, type: string, walk: PointsWalk): number {
  if (selection === undefined) return 0;
  const fieldCosts = listSelectedFields(selection, type, walk).map((part) => {
    const fieldTypeName = unwrapTypeReference(typeOfField(type, part.name.value) ?? '');
    if (part.name.value === 'edges') return countNodePoints(part.selectionSet, fieldTypeName, walk);
    const isConnectionNode = part.name.value === 'nodes' || part.name.value === 'node';
    if (!isConnectionNode || part.selectionSet === undefined) return countFieldPoints(part, type, walk);
    return walk.objectPoints + countSelectionPoints(part.selectionSet, fieldTypeName, walk);
  });
  return sumNumbers(fieldCosts);
}

function countSelectionPoints(selection: SelectionSetNode, type: string, walk: PointsWalk): number {
  const pointsByType = listPossibleTypes(type).map((one) =>
    sumNumbers(listSelectedFields(selection, one, walk).map((field) => countFieldPoints(field, one, walk))),
  );
  return Math.max(0, ...pointsByType);
}

/** Returns the selected fields of an object type, fragments expanded. */
function listSelectedFields(selection: SelectionSetNode, type: string, walk: PointsWalk): FieldNode[] {
  return selection.selections.flatMap((part) => {
    if (!isIncluded(part, walk)) return [];
    if (part.kind === Kind.FIELD) return [part];
    const fragment = part.kind === Kind.INLINE_FRAGMENT ? part : walk.fragments.get(part.name.value);
    const conditionType = fragment?.typeCondition?.name.value;
    const doesApply =
      conditionType === undefined ||
      conditionType === type ||
      listPossibleTypes(conditionType).includes(type);
    return fragment === undefined || !doesApply ? [] : listSelectedFields(fragment.selectionSet, type, walk);
  });
}

function isIncluded({ directives = [] }: SelectionSetNode['selections'][number], walk: PointsWalk): boolean {
  return directives.every((directive) => {
    const conditionValue = resolveArgument(directive, 'if', walk) === true;
    return directive.name.value === 'skip' ? !conditionValue : conditionValue;
  });
}

type NodeWithArguments = Pick<FieldNode, 'arguments'>;

function resolveArgument(
  { arguments: argumentNodes = [] }: NodeWithArguments,
  name: string,
  { variables }: PointsWalk,
): unknown {
  const valueNode = argumentNodes.find((one) => one.name.value === name)?.value;
  return valueNode && valueFromASTUntyped(valueNode, variables);
}

function sumNumbers(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
