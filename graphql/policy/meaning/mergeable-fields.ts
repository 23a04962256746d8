/**
 * GraphQL's rule "Field Selection Merging" (specification, section 5.3.2) in time linear in the spread-out document.
 * graphql-js compares every pair of fields, which a hostile document turns into minutes; here fields of one response
 * name are put into groups that must agree, and each is compared with its group's first.
 */
import {
  type FieldNode,
  type GraphQLCompositeType,
  type GraphQLOutputType,
  getNamedType,
  isCompositeType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type SelectionSetNode,
  typeFromAST,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';
import { createInvalidDocumentError } from '../errors/document-errors.ts';
import { writeCanonicalArguments } from './canonical-arguments.ts';

type SelectionScope = { readonly parent: GraphQLCompositeType | undefined; readonly set: SelectionSetNode };
type FieldEntry = {
  readonly parent: GraphQLCompositeType | undefined;
  readonly node: FieldNode;
  readonly type: GraphQLOutputType | undefined;
};
type FieldsByResponseKey = Map<string, FieldEntry[]>;

function findFieldType(
  parent: GraphQLCompositeType | undefined,
  name: string,
): GraphQLOutputType | undefined {
  return parent && 'getFields' in parent ? parent.getFields()[name]?.type : undefined;
}

function findTypeCondition(context: ValidationContext, node: Parameters<typeof typeFromAST>[1]) {
  const type = typeFromAST(context.getSchema(), node as never);
  return isCompositeType(type) ? type : undefined;
}

function collectFieldsInto(
  fields: FieldsByResponseKey,
  context: ValidationContext,
  scope: SelectionScope,
  visitedFragmentNames: Set<string>,
): void {
  for (const selection of scope.set.selections) {
    if (selection.kind === Kind.FIELD) {
      const key = selection.alias?.value ?? selection.name.value;
      const fieldEntry = {
        parent: scope.parent,
        node: selection,
        type: findFieldType(scope.parent, selection.name.value),
      };
      const entriesOfKey = fields.get(key);
      if (entriesOfKey) entriesOfKey.push(fieldEntry);
      else fields.set(key, [fieldEntry]);
    } else if (selection.kind === Kind.INLINE_FRAGMENT) {
      const { typeCondition, selectionSet } = selection;
      const parent = typeCondition ? findTypeCondition(context, typeCondition) : scope.parent;
      collectFieldsInto(fields, context, { parent, set: selectionSet }, visitedFragmentNames);
    } else if (!visitedFragmentNames.has(selection.name.value)) {
      visitedFragmentNames.add(selection.name.value);
      const fragment = context.getFragment(selection.name.value);
      if (!fragment) continue;
      const parent = findTypeCondition(context, fragment.typeCondition);
      collectFieldsInto(fields, context, { parent, set: fragment.selectionSet }, visitedFragmentNames);
    }
  }
}

function collectFields(context: ValidationContext, scopes: readonly SelectionScope[]): FieldsByResponseKey {
  const fieldsByKey: FieldsByResponseKey = new Map();
  const visitedFragmentNames = new Set<string>();
  for (const scope of scopes) collectFieldsInto(fieldsByKey, context, scope, visitedFragmentNames);
  return fieldsByKey;
}

function listScopesBelow(entries: readonly FieldEntry[]): SelectionScope[] {
  return entries.flatMap(({ node, type }) => {
    const namedType = type && getNamedType(type);
    return node.selectionSet
      ? [{ parent: isCompositeType(namedType) ? namedType : undefined, set: node.selectionSet }]
      : [];
  });
}

/** Whether values of two types have the same shape in a response (GraphQL, section 5.3.2, SameResponseShape). */
function haveSameShape(one: GraphQLOutputType, other: GraphQLOutputType): boolean {
  if (isNonNullType(one) || isNonNullType(other)) {
    return isNonNullType(one) && isNonNullType(other) && haveSameShape(one.ofType, other.ofType);
  }
  if (isListType(one) || isListType(other)) {
    return isListType(one) && isListType(other) && haveSameShape(one.ofType, other.ofType);
  }
  return isLeafType(one) || isLeafType(other) ? one === other : true;
}

/** Returns the groups of fields that one object can have. With an abstract parent, all fields are in one group. */
function groupByParent(entries: readonly FieldEntry[]): FieldEntry[][] {
  const [first, ...others] = entries;
  if (others.every(({ parent }) => parent === first?.parent)) return [[...entries]];
  if (entries.some(({ parent }) => !isObjectType(parent))) return [[...entries]];
  return [...Map.groupBy(entries, ({ parent }) => parent).values()];
}

function reportConflict(
  context: ValidationContext,
  key: string,
  reason: string,
  entries: readonly (FieldEntry | undefined)[],
) {
  const nodes = entries.flatMap((entry) => (entry ? [entry.node] : []));
  const message = `Fields "${key}" conflict because ${reason}. Use different aliases on the fields.`;
  context.reportError(createInvalidDocumentError(message, nodes));
}

function reportDifferingShape(
  context: ValidationContext,
  key: string,
  entries: readonly FieldEntry[],
): boolean {
  const typedEntries = entries.filter(({ type }) => type !== undefined);
  const firstType = typedEntries[0]?.type;
  const differingEntry =
    firstType && typedEntries.find(({ type }) => type && !haveSameShape(firstType, type));
  if (differingEntry)
    reportConflict(context, key, 'they return types that differ', [typedEntries[0], differingEntry]);
  return !differingEntry;
}

function checkGroup(context: ValidationContext, key: string, group: readonly FieldEntry[]): void {
  const [firstEntry, ...otherEntries] = group;
  if (!firstEntry || otherEntries.length === 0) return;
  const fieldName = firstEntry.node.name.value;
  const args = writeCanonicalArguments(firstEntry.node);
  const otherFieldNode = otherEntries.find(({ node }) => node.name.value !== fieldName);
  if (otherFieldNode) reportConflict(context, key, 'they are different fields', [firstEntry, otherFieldNode]);
  const differingEntry = otherEntries.find(({ node }) => writeCanonicalArguments(node) !== args);
  if (differingEntry && !otherFieldNode)
    reportConflict(context, key, 'their arguments differ', [firstEntry, differingEntry]);
}

function checkShapes(context: ValidationContext, scopes: readonly SelectionScope[]): void {
  for (const [key, entries] of collectFields(context, scopes)) {
    if (entries.length > 1 && reportDifferingShape(context, key, entries))
      checkShapes(context, listScopesBelow(entries));
  }
}

function checkFields(context: ValidationContext, scopes: readonly SelectionScope[]): void {
  for (const [key, entriesOfKey] of collectFields(context, scopes)) {
    if (entriesOfKey.length > 1 && !reportDifferingShape(context, key, entriesOfKey)) continue;
    const groupsByParent = groupByParent(entriesOfKey);
    for (const entriesOfParent of groupsByParent) {
      checkGroup(context, key, entriesOfParent);
      checkFields(context, listScopesBelow(entriesOfParent));
    }
    if (groupsByParent.length > 1) checkShapes(context, listScopesBelow(entriesOfKey));
  }
}

/**
 * Refuses fields that cannot share one response name. The document must have no fragment cycles: no-fragment-
 * cycles.ts runs before.
 */
export const mergeableFieldsRule: ValidationRule = (context) => ({
  OperationDefinition({ operation, selectionSet }) {
    checkFields(context, [
      { parent: context.getSchema().getRootType(operation) ?? undefined, set: selectionSet },
    ]);
  },
});
