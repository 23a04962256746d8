/**
 * The client's variables, coerced by the types of its operation. The types are looked up once a document; graphql-js
 * finds the words where a value does not fit, which is when its slower way is gone.
 */
import {
  coerceInputValue,
  type DocumentNode,
  type GraphQLInputType,
  getNamedType,
  getVariableValues,
  isInputObjectType,
  isInputType,
  isNonNullType,
  type OperationDefinitionNode,
  TypeInfo,
  typeFromAST,
  ValidationContext,
  type ValueNode,
  valueFromAST,
} from 'graphql';
import {
  checkCoercedVariables,
  checkRawVariables,
  prepareVariableChecks,
} from '../policy/check-variables.ts';
import { shortened } from '../policy/errors/shortened.ts';
import { type Surface, schemaOf } from '../schema/schema.ts';
import { type ResultError, toResultError } from './result-error.ts';
import type { Variables } from './selection/client-document.ts';

/** The coerced variables; or why they cannot be. */
export type CoerceVariables = (
  variables: Variables,
) => { readonly coerced: Variables } | { readonly errors: readonly ResultError[] };

/** Prepares the coercion for an operation of a validated document. */
export function prepareCoercion(
  surface: Surface,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): CoerceVariables {
  const checks = prepareVariableChecks(surface, document, operation);
  const declared = declaredVariables(surface, operation);
  return (variables) => {
    const closed = checkRawVariables(checks, variables);
    if (closed.length > 0) return { errors: closed.map(toResultError) };
    const coerced = coerceAll(declared, variables);
    if (coerced === undefined) return { errors: whyNot(surface, operation, variables) };
    const excess = checkCoercedVariables(checks, coerced);
    return excess.length > 0 ? { errors: excess.map(toResultError) } : { coerced };
  };
}

type Declared = {
  readonly name: string;
  readonly type: GraphQLInputType;
  readonly isRequired: boolean;
  readonly fallback: ValueNode | undefined;
};

function declaredVariables(
  surface: Surface,
  { variableDefinitions = [] }: OperationDefinitionNode,
): readonly Declared[] {
  return variableDefinitions.map(({ variable, type: reference, defaultValue }) => {
    const type = typeFromAST(schemaOf(surface), reference as never);
    if (!isInputType(type)) throw new Error(`$${variable.name.value} has no input type.`);
    return { name: variable.name.value, type, isRequired: isNonNullType(type), fallback: defaultValue };
  });
}

/** The coerced values; undefined if one does not fit (GraphQL specification, section 6.1.2). */
function coerceAll(declared: readonly Declared[], variables: Variables): Variables | undefined {
  // The object inherits nothing: a variable may be called `constructor`, and be left out.
  const coerced: Record<string, unknown> = Object.create(null);
  let fits = true;
  const onError = () => {
    fits = false;
  };
  for (const { name, type, isRequired, fallback } of declared) {
    const isGiven = Object.hasOwn(variables, name);
    const value = isGiven ? variables[name] : undefined;
    if (isGiven && !(value === null && isRequired)) coerced[name] = coerceInputValue(value, type, onError);
    else if (!isGiven && fallback !== undefined) coerced[name] = valueFromAST(fallback, type);
    else if (isRequired) return undefined;
  }
  return fits ? coerced : undefined;
}

const MAX_ERRORS = 5;
const INVALID_VALUE = /^Variable "\$\w+" got invalid value /;

function whyNot(
  surface: Surface,
  operation: OperationDefinitionNode,
  variables: Variables,
): readonly ResultError[] {
  const { variableDefinitions = [] } = operation;
  const { errors = [] } = getVariableValues(schemaOf(surface), variableDefinitions, variables, {
    maxErrors: MAX_ERRORS,
    hideSuggestions: surface === 'customer',
  });
  const reasons = reasonsOf(declaredVariables(surface, operation), variables);
  return errors.map(({ message, locations }) => ({
    message: shortened(message, valuesIn(message, reasons)),
    ...(locations && { locations }),
    extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
  }));
}

/** The reason that the message of each error gives behind the value, in their order. */
function reasonsOf(declared: readonly Declared[], variables: Variables): readonly string[] {
  const reasons: string[] = [];
  for (const { name, type } of declared) {
    if (!Object.hasOwn(variables, name) || reasons.length >= MAX_ERRORS) continue;
    coerceInputValue(variables[name], type, (_path, _value, { message }) => void reasons.push(message));
  }
  return reasons;
}

/** The value that an error's message quotes, as it stands there. */
function valuesIn(message: string, reasons: readonly string[]): readonly string[] {
  const [before] = INVALID_VALUE.exec(message) ?? [];
  const reason = reasons.find((one) => message.endsWith(`; ${one}`));
  if (before === undefined || reason === undefined) return [];
  const value = message.slice(before.length, -(reason.length + 2));
  return [value.replace(/ at "[^"]*"$/, '')];
}

/** Whether coerced variables hold a null, or lack a value, where one is needed. */
export type HasMisplacedNull = (coerced: Variables) => boolean;

/**
 * Looks for the nullable variables of an operation that stand where null may not (GraphQL, section 5.8.5), or for the
 * one field of a OneOf input, which may not be absent either.
 */
export function prepareNullCheck(
  surface: Surface,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): HasMisplacedNull {
  const schema = schemaOf(surface);
  const { variableDefinitions = [] } = operation;
  const nullable = variableDefinitions
    .filter(({ type }) => !isNonNullType(typeFromAST(schema, type as never)))
    .map(({ variable }) => variable.name.value);
  if (nullable.length === 0) return () => false;
  const context = new ValidationContext(schema, document, new TypeInfo(schema), () => undefined);
  const usages = context
    .getRecursiveVariableUsages(operation)
    .filter(({ node }) => nullable.includes(node.name.value));
  const namesOf = (some: typeof usages) => [...new Set(some.map(({ node }) => node.name.value))];
  const neverNull = namesOf(usages.filter(({ type }) => isNonNullType(type)));
  const neverAbsent = namesOf(usages.filter(({ parentType }) => isOneOf(parentType)));
  return (coerced) =>
    neverNull.some((name) => coerced[name] === null) ||
    neverAbsent.some((name) => (coerced[name] ?? null) === null);
}

function isOneOf(type: GraphQLInputType | null | undefined): boolean {
  const named = getNamedType(type);
  return isInputObjectType(named) && named.isOneOf;
}
