/**
 * Counts the objects that an operation can return: each object times the `first` or `last` of all lists around it. The
 * count is compiled once per document in linear time, each fragment once, and evaluated with the variables of each
 * request.
 */
import {
  type FieldNode,
  type GraphQLCompositeType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  typeFromAST,
} from 'graphql';
import type { FragmentSets } from './fragment-sets.ts';
import { hasVariableSize, maxItemsOfPage, type PageSizes, pageSizesOf, type Variables } from './page-size.ts';

/** A part of the sum: its own objects and those of the parts below, all times the page size. */
type CountedPart = {
  ownObjectCount: number;
  readonly sizes: PageSizes | undefined;
  readonly parts: CountedPart[];
};

export type ObjectCount = { readonly total: CountedPart; readonly pagedFields: readonly PagedListField[] };
export type PagedListField = { readonly node: FieldNode; readonly sizes: PageSizes };

/**
 * The types of objects for which the compiled operation also selects the owner or the product, unless the object is
 * directly below an object of TYPES_WITH_CHECKS.
 */
const TYPES_READ_WITH_OWNER = new Set([
  'Order',
  'SubscriptionContract',
  'CustomerPaymentMethod',
  'ProductVariant',
]);
const TYPES_WITH_CHECKS = new Set(['Customer', 'Product']);

/** The objects of a next order: itself, three cycles and twenty lines. */
const NEXT_ORDER_OBJECT_COUNT = 24;

type CountCompiler = {
  readonly schema: GraphQLSchema;
  readonly fragments: FragmentSets;
  readonly partByFragment: Map<string, CountedPart>;
  readonly pagedFields: PagedListField[];
};

/** The place of a selection set: its type, and whether it is directly below an object of TYPES_WITH_CHECKS. */
type SelectionParent = { readonly type: GraphQLCompositeType; readonly isBelowCheckedObject: boolean };

const isPagingType = ({ name }: GraphQLCompositeType): boolean => /(Connection|Edge)$/.test(name);

/** Returns the objects that one field adds. Nodes are objects, but not connections, edges and page info. */
function countOwnObjects(type: GraphQLCompositeType, isBelowCheckedObject: boolean): number {
  if (isPagingType(type) || type.name === 'PageInfo') return 0;
  if (type.name === 'SubscriptionNextOrder') return NEXT_ORDER_OBJECT_COUNT;
  return TYPES_READ_WITH_OWNER.has(type.name) && !isBelowCheckedObject ? 2 : 1;
}

function compileFieldCount(
  compiler: CountCompiler,
  selectionParent: SelectionParent,
  node: FieldNode,
): CountedPart | undefined {
  const fieldDefinition =
    'getFields' in selectionParent.type ? selectionParent.type.getFields()[node.name.value] : undefined;
  const selectedType = fieldDefinition && getNamedType(fieldDefinition.type);
  if (!fieldDefinition || !isCompositeType(selectedType) || !node.selectionSet) return undefined;
  const isBelowCheckedObject =
    TYPES_WITH_CHECKS.has(selectionParent.type.name) ||
    (isPagingType(selectionParent.type) && selectionParent.isBelowCheckedObject);
  const sizes = pageSizesOf(fieldDefinition, node);
  if (sizes) compiler.pagedFields.push({ node, sizes });
  const part = { ownObjectCount: countOwnObjects(selectedType, isBelowCheckedObject), sizes, parts: [] };
  compileSelectionCount(compiler, { type: selectedType, isBelowCheckedObject }, node.selectionSet, part);
  return part;
}

function compileFragmentCount(compiler: CountCompiler, name: string): CountedPart | undefined {
  const cachedPart = compiler.partByFragment.get(name);
  const fragment = compiler.fragments.get(name);
  if (cachedPart || !fragment) return cachedPart;
  const part: CountedPart = { ownObjectCount: 0, sizes: undefined, parts: [] };
  compiler.partByFragment.set(name, part);
  const type = compiler.schema.getType(fragment.typeName);
  if (isCompositeType(type))
    compileSelectionCount(compiler, { type, isBelowCheckedObject: false }, fragment.selectionSet, part);
  return part;
}

function compileSelectionCount(
  compiler: CountCompiler,
  selectionParent: SelectionParent,
  set: SelectionSetNode,
  parentPart: CountedPart,
): void {
  for (const selectionNode of set.selections) {
    if (selectionNode.kind === Kind.INLINE_FRAGMENT) {
      const { typeCondition, selectionSet } = selectionNode;
      const type = typeCondition ? typeFromAST(compiler.schema, typeCondition) : selectionParent.type;
      if (isCompositeType(type))
        compileSelectionCount(compiler, { ...selectionParent, type }, selectionSet, parentPart);
      continue;
    }
    const part =
      selectionNode.kind === Kind.FIELD
        ? compileFieldCount(compiler, selectionParent, selectionNode)
        : compileFragmentCount(compiler, selectionNode.name.value);
    if (part) parentPart.parts.push(part);
  }
}

const countsByOperation = new WeakMap<OperationDefinitionNode, ObjectCount>();

/** Compiles the count of one operation once. The document must not have cycles. */
export function compileObjectCount(
  schema: GraphQLSchema,
  fragments: FragmentSets,
  operation: OperationDefinitionNode,
): ObjectCount {
  const cachedCount = countsByOperation.get(operation);
  if (cachedCount !== undefined) return cachedCount;
  const totalPart: CountedPart = { ownObjectCount: 0, sizes: undefined, parts: [] };
  const countCompiler: CountCompiler = { schema, fragments, partByFragment: new Map(), pagedFields: [] };
  const root = schema.getRootType(operation.operation);
  if (root)
    compileSelectionCount(
      countCompiler,
      { type: root, isBelowCheckedObject: false },
      operation.selectionSet,
      totalPart,
    );
  const operationCount = { total: totalPart, pagedFields: countCompiler.pagedFields };
  countsByOperation.set(operation, operationCount);
  return operationCount;
}

/** Whether the number of objects depends on variables. */
export function hasVariableSizes({ pagedFields }: ObjectCount): boolean {
  return pagedFields.some(({ sizes }) => hasVariableSize(sizes));
}

function evaluateCountedPart(
  part: CountedPart,
  variables: Variables,
  countByPart: Map<CountedPart, number>,
): number {
  const knownCount = countByPart.get(part);
  if (knownCount !== undefined) return knownCount;
  const objectCountPerItem = part.parts.reduce(
    (sum, each) => sum + evaluateCountedPart(each, variables, countByPart),
    part.ownObjectCount,
  );
  const partCount = part.sizes
    ? objectCountPerItem * maxItemsOfPage(part.sizes, variables)
    : objectCountPerItem;
  countByPart.set(part, partCount);
  return partCount;
}

/** Returns the number of objects with these coerced variables. */
export function countObjects({ total }: ObjectCount, variables: Variables): number {
  return evaluateCountedPart(total, variables, new Map());
}
