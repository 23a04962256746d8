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

/** A part of the sum: `own` objects and the parts below, all times the sizes. */
type CountedPart = { own: number; readonly sizes: PageSizes | undefined; readonly parts: CountedPart[] };

export type ObjectCount = { readonly total: CountedPart; readonly paged: readonly PagedListField[] };
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
  readonly known: Map<string, CountedPart>;
  readonly paged: PagedListField[];
};

/** The place of a selection set: its type, and whether it is directly below a customer. */
type SelectionParent = { readonly type: GraphQLCompositeType; readonly isCustomers: boolean };

const isPagingType = ({ name }: GraphQLCompositeType): boolean => /(Connection|Edge)$/.test(name);

/** Returns the objects that one field adds. Nodes are objects, but not connections, edges and page info. */
function countOwnObjects(type: GraphQLCompositeType, isCustomers: boolean): number {
  if (isPagingType(type) || type.name === 'PageInfo') return 0;
  if (type.name === 'SubscriptionNextOrder') return NEXT_ORDER_OBJECT_COUNT;
  return TYPES_READ_WITH_OWNER.has(type.name) && !isCustomers ? 2 : 1;
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
  const isCustomers =
    TYPES_WITH_CHECKS.has(selectionParent.type.name) ||
    (isPagingType(selectionParent.type) && selectionParent.isCustomers);
  const sizes = pageSizesOf(fieldDefinition, node);
  if (sizes) compiler.paged.push({ node, sizes });
  const part = { own: countOwnObjects(selectedType, isCustomers), sizes, parts: [] };
  compileSelectionCount(compiler, { type: selectedType, isCustomers }, node.selectionSet, part);
  return part;
}

function compileFragmentCount(compiler: CountCompiler, name: string): CountedPart | undefined {
  const compiledCount = compiler.known.get(name);
  const fragment = compiler.fragments.get(name);
  if (compiledCount || !fragment) return compiledCount;
  const part: CountedPart = { own: 0, sizes: undefined, parts: [] };
  compiler.known.set(name, part);
  const type = compiler.schema.getType(fragment.on);
  if (isCompositeType(type))
    compileSelectionCount(compiler, { type, isCustomers: false }, fragment.set, part);
  return part;
}

function compileSelectionCount(
  compiler: CountCompiler,
  selectionParent: SelectionParent,
  set: SelectionSetNode,
  into: CountedPart,
): void {
  for (const selectionNode of set.selections) {
    if (selectionNode.kind === Kind.INLINE_FRAGMENT) {
      const { typeCondition, selectionSet } = selectionNode;
      const type = typeCondition ? typeFromAST(compiler.schema, typeCondition) : selectionParent.type;
      if (isCompositeType(type))
        compileSelectionCount(compiler, { ...selectionParent, type }, selectionSet, into);
      continue;
    }
    const part =
      selectionNode.kind === Kind.FIELD
        ? compileFieldCount(compiler, selectionParent, selectionNode)
        : compileFragmentCount(compiler, selectionNode.name.value);
    if (part) into.parts.push(part);
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
  const totalPart: CountedPart = { own: 0, sizes: undefined, parts: [] };
  const countCompiler: CountCompiler = { schema, fragments, known: new Map(), paged: [] };
  const root = schema.getRootType(operation.operation);
  if (root)
    compileSelectionCount(
      countCompiler,
      { type: root, isCustomers: false },
      operation.selectionSet,
      totalPart,
    );
  const operationCount = { total: totalPart, paged: countCompiler.paged };
  countsByOperation.set(operation, operationCount);
  return operationCount;
}

/** Whether the number of objects depends on variables. */
export function hasVariableSizes({ paged }: ObjectCount): boolean {
  return paged.some(({ sizes }) => hasVariableSize(sizes));
}

function evaluateCountedPart(
  part: CountedPart,
  variables: Variables,
  known: Map<CountedPart, number>,
): number {
  const knownCount = known.get(part);
  if (knownCount !== undefined) return knownCount;
  const objectCountBelow = part.parts.reduce(
    (sum, each) => sum + evaluateCountedPart(each, variables, known),
    part.own,
  );
  const partCount = part.sizes ? objectCountBelow * maxItemsOfPage(part.sizes, variables) : objectCountBelow;
  known.set(part, partCount);
  return partCount;
}

/** Returns the number of objects with these coerced variables. */
export function countObjects({ total }: ObjectCount, variables: Variables): number {
  return evaluateCountedPart(total, variables, new Map());
}
