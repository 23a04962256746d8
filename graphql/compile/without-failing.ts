/**
 * A document without what fails before it is run: null stands where none may (GraphQL, section 6.4.1), since a
 * nullable variable with a default was sent as null. What remains is an ordinary document; answer-misplaced-nulls.ts
 * puts the errors into its answer.
 */
import {
  type ASTNode,
  type DocumentNode,
  type FieldNode,
  type GraphQLCompositeType,
  GraphQLIncludeDirective,
  type GraphQLNamedOutputType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getArgumentValues,
  getDirectiveValues,
  getNamedType,
  isAbstractType,
  isCompositeType,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  type SelectionNode,
  type SelectionSetNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { Variables } from './selection/client-document.ts';
import { OURS } from './selection/ours.ts';

/** The key under which objects of interfaces and unions tell their type. */
export const TYPE_KEY = `${OURS}TypeName`;

type Reduction = {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** The client's variables, coerced. */
  readonly variables: Variables;
};

/** The document with this operation alone; undefined if nothing of it runs. */
export function withoutFailing(reduction: Reduction): DocumentNode | undefined {
  const { schema, document, operation } = reduction;
  const root = schema.getRootType(operation.operation);
  if (root === undefined || root === null || failsOn(reduction, operation.selectionSet, root))
    return undefined;
  const isKept = (one: ASTNode) => one === operation || one.kind === Kind.FRAGMENT_DEFINITION;
  const definitions = document.definitions.filter(isKept);
  const typeInfo = new TypeInfo(schema);
  const replace = (node: SelectionNode) => replacement(reduction, typeInfo, node);
  const reduced = visit(
    { ...document, definitions },
    visitWithTypeInfo(typeInfo, {
      Field: { enter: replace, leave: (node) => withType(typeInfo, node) },
      FragmentSpread: replace,
      InlineFragment: replace,
    }),
  );
  // The plan is written from the text.
  return parse(print(reduced));
}

const TYPENAME: FieldNode = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } };
const keyed = (key: string): FieldNode => ({ ...TYPENAME, alias: { kind: Kind.NAME, value: key } });
/** This field stands for a selection that fails, so that no selection set is empty. */
const GONE = keyed(`${OURS}Gone`);
const TYPE = keyed(TYPE_KEY);

/** The selection that stands instead of this one; undefined: it stays as it is. */
function replacement(
  reduction: Reduction,
  typeInfo: TypeInfo,
  node: SelectionNode,
): SelectionNode | undefined {
  if (inclusionOf(reduction, node) === 'failing') return GONE;
  const field = typeInfo.getFieldDef();
  if (node.kind !== Kind.FIELD || !field) return undefined;
  if (isFailing(() => getArgumentValues(field, node, { ...reduction.variables }))) return GONE;
  const { selectionSet } = node;
  const types = possibleTypes(reduction, getNamedType(field.type));
  const isLost = selectionSet && types.every((type) => failsOn(reduction, selectionSet, type));
  return isLost ? { ...node, selectionSet: { ...selectionSet, selections: [TYPENAME] } } : undefined;
}

function withType(typeInfo: TypeInfo, node: FieldNode): FieldNode | undefined {
  const { selectionSet } = node;
  if (selectionSet === undefined || !isAbstractType(getNamedType(typeInfo.getType()))) return undefined;
  return { ...node, selectionSet: { ...selectionSet, selections: [TYPE, ...selectionSet.selections] } };
}

function possibleTypes({ schema }: Reduction, type: GraphQLNamedOutputType): readonly GraphQLCompositeType[] {
  if (isAbstractType(type)) return schema.getPossibleTypes(type);
  return isCompositeType(type) ? [type] : [];
}

type Inclusion = 'included' | 'excluded' | 'failing';
type Conditional = Pick<SelectionNode, 'directives'>;

/**
 * Whether a selection is included, as graphql-js decides it: one that is skipped is never asked whether it is included.
 */
function inclusionOf({ variables }: Reduction, node: Conditional): Inclusion {
  try {
    if (getDirectiveValues(GraphQLSkipDirective, node, { ...variables })?.if === true) return 'excluded';
    const include = getDirectiveValues(GraphQLIncludeDirective, node, { ...variables });
    return include?.if === false ? 'excluded' : 'included';
  } catch {
    return 'failing';
  }
}

function isFailing(read: () => unknown): boolean {
  try {
    read();
    return false;
  } catch {
    return true;
  }
}

/** Whether the fields of an object of this type cannot be collected; each fragment is looked at once. */
function failsOn(
  reduction: Reduction,
  set: SelectionSetNode,
  type: GraphQLCompositeType,
  visited: Set<string> = new Set(),
): boolean {
  return set.selections.some((selection) => {
    if (selection.kind === Kind.FRAGMENT_SPREAD && visited.has(selection.name.value)) {
      return inclusionOf(reduction, selection) === 'failing';
    }
    const inclusion = inclusionOf(reduction, selection);
    if (inclusion !== 'included') return inclusion === 'failing';
    const fragment = fragmentOf(reduction, selection, visited);
    const applies = fragment !== undefined && isOn(reduction, fragment.typeCondition?.name.value, type);
    return applies && failsOn(reduction, fragment.selectionSet, type, visited);
  });
}

function fragmentOf({ document }: Reduction, selection: SelectionNode, visited: Set<string>) {
  if (selection.kind === Kind.FIELD) return undefined;
  if (selection.kind === Kind.INLINE_FRAGMENT) return selection;
  const name = selection.name.value;
  visited.add(name);
  return document.definitions.find(
    (one) => one.kind === Kind.FRAGMENT_DEFINITION && one.name.value === name,
  ) as Extract<(typeof document.definitions)[number], { kind: Kind.FRAGMENT_DEFINITION }> | undefined;
}

function isOn({ schema }: Reduction, condition: string | undefined, type: GraphQLCompositeType): boolean {
  if (condition === undefined || condition === type.name) return true;
  const on = schema.getType(condition);
  return isAbstractType(on) && !isAbstractType(type) && schema.isSubType(on, type);
}
