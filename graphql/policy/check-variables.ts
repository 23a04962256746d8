/**
 * Some rules depend on the variables' values: closed input fields, page sizes, objects, days without a time, bounds of
 * images, nulls. The checks are prepared once for an operation, and only those that its variables can fail.
 */
import {
  type ArgumentNode,
  type DocumentNode,
  GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  type OperationDefinitionNode,
  TypeInfo,
  typeFromAST,
  ValidationContext,
  type VariableDefinitionNode,
  visit,
} from 'graphql';
import { getSchema, type Surface } from '../schema/schema.ts';
import { createNotAvailableError } from './errors/document-errors.ts';
import { compileObjectCount, hasVariableSizes } from './limits/count-objects.ts';
import { indexFragmentSets } from './limits/fragment-sets.ts';
import { findImageBoundsError, isImageArgument } from './limits/image-bounds.ts';
import { LIMITS_BY_SURFACE } from './limits/limits.ts';
import { findListErrors } from './limits/list-errors.ts';
import type { Variables } from './limits/page-size.ts';
import { prepareBareDayCheck } from './meaning/bare-days.ts';

/** Returns the errors of the values of a request's variables. */
type CheckVariables = (variables: Variables) => readonly GraphQLError[];

type VariableChecks = {
  /** Checks of the raw values, before they are coerced. */
  readonly raw: readonly CheckVariables[];
  readonly coerced: readonly CheckVariables[];
};

function collectVariableTypes(surface: Surface, { variableDefinitions = [] }: OperationDefinitionNode) {
  const typeByVariable = new Map<string, GraphQLInputType>();
  for (const { variable, type } of variableDefinitions) {
    const schemaType = typeFromAST(getSchema(surface), type as never);
    if (isInputType(schemaType) && isInputObjectType(getNamedType(schemaType)))
      typeByVariable.set(variable.name.value, schemaType);
  }
  return typeByVariable;
}

/** Prepares the checks of one operation of a validated document. */
export function prepareVariableChecks(
  surface: Surface,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): VariableChecks {
  const typeByVariable = collectVariableTypes(surface, operation);
  const imageArguments = collectImageArguments(document);
  const objectCount = compileObjectCount(getSchema(surface), indexFragmentSets(document), operation);
  const checkDays = prepareBareDayCheck(getSchema(surface), document, operation);
  const nullableVariables = collectNullableVariables(surface, operation);
  // Check names for customers only, because the coercion reports unknown names to merchants. Check the number of
  // objects only if it depends on variables, because check-document.ts has checked any other number.
  const [mayHaveClosedNames, countsObjects] = [
    surface === 'customer' && typeByVariable.size > 0,
    hasVariableSizes(objectCount),
  ];
  return {
    raw: mayHaveClosedNames ? [(variables) => findClosedNameErrors(typeByVariable, variables)] : [],
    coerced: [
      ...(countsObjects
        ? [(variables: Variables) => findListErrors(objectCount, LIMITS_BY_SURFACE[surface], variables)]
        : []),
      ...(checkDays === undefined ? [] : [checkDays]),
      ...(imageArguments.length > 0
        ? [(variables: Variables) => findImageBoundsErrors(imageArguments, variables)]
        : []),
      ...(nullableVariables.size > 0
        ? [prepareNullCheck(getSchema(surface), document, { operation, nullable: nullableVariables })]
        : []),
    ],
  };
}

function collectImageArguments(document: DocumentNode): readonly ArgumentNode[] {
  const imageArguments: ArgumentNode[] = [];
  visit(document, {
    Argument(node) {
      if (isImageArgument(node)) imageArguments.push(node);
    },
  });
  return imageArguments;
}

function findImageBoundsErrors(
  images: readonly ArgumentNode[],
  variables: Variables,
): readonly GraphQLError[] {
  return images.flatMap((argument) => findImageBoundsError(argument, variables) ?? []);
}

/** Returns the first name in `value` that the input type does not have, in objects and lists, too. */
function findUnknownInputName(type: GraphQLInputType, value: unknown): string | undefined {
  // Skip scalars first: only objects have names, and a list may have very many scalars.
  if (typeof value !== 'object' || value === null) return undefined;
  const nullableType = getNullableType(type);
  if (isListType(nullableType)) {
    const listItems: readonly unknown[] = Array.isArray(value) ? value : [value];
    for (const item of listItems) {
      const name = findUnknownInputName(nullableType.ofType, item);
      if (name !== undefined) return name;
    }
    return undefined;
  }
  if (!isInputObjectType(nullableType)) return undefined;
  const inputFields = nullableType.getFields();
  for (const key of Object.keys(value)) {
    const field = Object.hasOwn(inputFields, key) ? inputFields[key] : undefined;
    const name = field ? findUnknownInputName(field.type, (value as Variables)[key]) : key;
    if (name !== undefined) return name;
  }
  return undefined;
}

/** The maximum number of errors of closed names. */
const MAX_ERRORS = 5;

/** Returns an error for each variable, at most five, with an input field that customer accounts cannot use. */
function findClosedNameErrors(
  types: ReadonlyMap<string, GraphQLInputType>,
  variables: Variables,
): GraphQLError[] {
  const errors: GraphQLError[] = [];
  for (const [variable, type] of types) {
    if (errors.length === MAX_ERRORS) break;
    const name = findUnknownInputName(type, variables[variable]);
    if (name !== undefined) errors.push(createNotAvailableError(name));
  }
  return errors;
}

type NullableVariables = ReadonlyMap<string, VariableDefinitionNode>;

function collectNullableVariables(
  surface: Surface,
  { variableDefinitions = [] }: OperationDefinitionNode,
): NullableVariables {
  const schema = getSchema(surface);
  return new Map(
    variableDefinitions
      .filter(({ type }) => !isNonNullType(typeFromAST(schema, type as never)))
      .map((definition) => [definition.variable.name.value, definition]),
  );
}

type NullableOperation = {
  readonly operation: OperationDefinitionNode;
  readonly nullable: NullableVariables;
};

/**
 * Prepares the check of nullable variables where null is not allowed (GraphQL, section 5.8.5), and of the one field of a
 * OneOf input, which must not be absent either. GraphQL would fail their fields alone (section 6.4.1): the whole request
 * is refused, because such a null is a mistake of the client.
 */
function prepareNullCheck(
  schema: GraphQLSchema,
  document: DocumentNode,
  { operation, nullable }: NullableOperation,
): CheckVariables {
  const validationContext = new ValidationContext(schema, document, new TypeInfo(schema), () => undefined);
  const variableUsages = validationContext
    .getRecursiveVariableUsages(operation)
    .filter(({ node }) => nullable.has(node.name.value));
  const namesOf = (usages: typeof variableUsages) => new Set(usages.map(({ node }) => node.name.value));
  const nonNullVariableNames = namesOf(variableUsages.filter(({ type }) => isNonNullType(type)));
  const oneOfVariableNames = namesOf(variableUsages.filter(({ parentType }) => isOneOfInput(parentType)));
  return (coerced) =>
    [...nullable]
      .filter(
        ([name]) =>
          (nonNullVariableNames.has(name) && coerced[name] === null) ||
          (oneOfVariableNames.has(name) && (coerced[name] ?? null) === null),
      )
      .map(
        ([name, nodes]) =>
          new GraphQLError(`Variable "$${name}" must not be null where it is used.`, { nodes }),
      );
}

function isOneOfInput(type: GraphQLInputType | null | undefined): boolean {
  const namedType = getNamedType(type);
  return isInputObjectType(namedType) && namedType.isOneOf;
}
