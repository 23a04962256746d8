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
import { invalidDocumentError } from '../errors/document-errors.ts';
import { writeCanonicalArguments } from './canonical-arguments.ts';

type Scope = { readonly parent: GraphQLCompositeType | undefined; readonly set: SelectionSetNode };
type Entry = {
  readonly parent: GraphQLCompositeType | undefined;
  readonly node: FieldNode;
  readonly type: GraphQLOutputType | undefined;
};
type Fields = Map<string, Entry[]>;

function typeOf(parent: GraphQLCompositeType | undefined, name: string): GraphQLOutputType | undefined {
  return parent && 'getFields' in parent ? parent.getFields()[name]?.type : undefined;
}

function conditionOf(context: ValidationContext, node: Parameters<typeof typeFromAST>[1]) {
  const type = typeFromAST(context.getSchema(), node as never);
  return isCompositeType(type) ? type : undefined;
}

function collectInto(fields: Fields, context: ValidationContext, scope: Scope, seen: Set<string>): void {
  for (const selection of scope.set.selections) {
    if (selection.kind === Kind.FIELD) {
      const key = selection.alias?.value ?? selection.name.value;
      const entry = {
        parent: scope.parent,
        node: selection,
        type: typeOf(scope.parent, selection.name.value),
      };
      const known = fields.get(key);
      if (known) known.push(entry);
      else fields.set(key, [entry]);
    } else if (selection.kind === Kind.INLINE_FRAGMENT) {
      const { typeCondition, selectionSet } = selection;
      const parent = typeCondition ? conditionOf(context, typeCondition) : scope.parent;
      collectInto(fields, context, { parent, set: selectionSet }, seen);
    } else if (!seen.has(selection.name.value)) {
      seen.add(selection.name.value);
      const fragment = context.getFragment(selection.name.value);
      if (!fragment) continue;
      const parent = conditionOf(context, fragment.typeCondition);
      collectInto(fields, context, { parent, set: fragment.selectionSet }, seen);
    }
  }
}

function collect(context: ValidationContext, scopes: readonly Scope[]): Fields {
  const fields: Fields = new Map();
  const seen = new Set<string>();
  for (const scope of scopes) collectInto(fields, context, scope, seen);
  return fields;
}

function below(entries: readonly Entry[]): Scope[] {
  return entries.flatMap(({ node, type }) => {
    const named = type && getNamedType(type);
    return node.selectionSet
      ? [{ parent: isCompositeType(named) ? named : undefined, set: node.selectionSet }]
      : [];
  });
}

/** Whether two types give answers of the same shape (GraphQL specification, section 5.3.2, SameResponseShape). */
function sameShape(one: GraphQLOutputType, other: GraphQLOutputType): boolean {
  if (isNonNullType(one) || isNonNullType(other)) {
    return isNonNullType(one) && isNonNullType(other) && sameShape(one.ofType, other.ofType);
  }
  if (isListType(one) || isListType(other)) {
    return isListType(one) && isListType(other) && sameShape(one.ofType, other.ofType);
  }
  return isLeafType(one) || isLeafType(other) ? one === other : true;
}

/** Returns the groups of fields that one object can have. With an abstract parent, all fields are in one group. */
function groupsOf(entries: readonly Entry[]): Entry[][] {
  const [first, ...others] = entries;
  if (others.every(({ parent }) => parent === first?.parent)) return [[...entries]];
  if (entries.some(({ parent }) => !isObjectType(parent))) return [[...entries]];
  return [...Map.groupBy(entries, ({ parent }) => parent).values()];
}

function report(
  context: ValidationContext,
  key: string,
  reason: string,
  entries: readonly (Entry | undefined)[],
) {
  const nodes = entries.flatMap((entry) => (entry ? [entry.node] : []));
  const message = `Fields "${key}" conflict because ${reason}. Use different aliases on the fields.`;
  context.reportError(invalidDocumentError(message, nodes));
}

function checkShape(context: ValidationContext, key: string, entries: readonly Entry[]): boolean {
  const typed = entries.filter(({ type }) => type !== undefined);
  const first = typed[0]?.type;
  const odd = first && typed.find(({ type }) => type && !sameShape(first, type));
  if (odd) report(context, key, 'they return types that differ', [typed[0], odd]);
  return !odd;
}

function checkGroup(context: ValidationContext, key: string, group: readonly Entry[]): void {
  const [first, ...others] = group;
  if (!first || others.length === 0) return;
  const name = first.node.name.value;
  const args = writeCanonicalArguments(first.node);
  const renamed = others.find(({ node }) => node.name.value !== name);
  if (renamed) report(context, key, 'they are different fields', [first, renamed]);
  const differing = others.find(({ node }) => writeCanonicalArguments(node) !== args);
  if (differing && !renamed) report(context, key, 'their arguments differ', [first, differing]);
}

function checkShapes(context: ValidationContext, scopes: readonly Scope[]): void {
  for (const [key, entries] of collect(context, scopes)) {
    if (entries.length > 1 && checkShape(context, key, entries)) checkShapes(context, below(entries));
  }
}

function check(context: ValidationContext, scopes: readonly Scope[]): void {
  for (const [key, entries] of collect(context, scopes)) {
    if (entries.length > 1 && !checkShape(context, key, entries)) continue;
    const groups = groupsOf(entries);
    for (const group of groups) {
      checkGroup(context, key, group);
      check(context, below(group));
    }
    if (groups.length > 1) checkShapes(context, below(entries));
  }
}

/**
 * Refuses fields that cannot share one response name. The document must have no fragment cycles: no-fragment-
 * cycles.ts runs before.
 */
export const mergeableFieldsRule: ValidationRule = (context) => ({
  OperationDefinition({ operation, selectionSet }) {
    check(context, [{ parent: context.getSchema().getRootType(operation) ?? undefined, set: selectionSet }]);
  },
});
