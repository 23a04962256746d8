/**
 * The client's variables, coerced by the types of its operation. The types are looked up once a document; graphql-js
 * finds the words where a value does not fit, which is when its slower way is gone.
 */
import {
  coerceInputValue,
  type DocumentNode,
  type GraphQLError,
  type GraphQLInputType,
  getVariableValues,
  isInputType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
  type ValueNode,
  valueFromAST,
} from 'graphql';
import {
  checkCoercedVariables,
  checkRawVariables,
  prepareVariableChecks,
} from '../policy/check-variables.ts';
import { shortened } from '../policy/policy-error.ts';
import { type Surface, schemaOf } from '../schema/schema.ts';
import { type ResultError, toResultError } from './graphql-result.ts';
import type { Variables } from './upstream-writer.ts';

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

/** Undefined if one does not fit (GraphQL specification, section 6.1.2). */
function coerceAll(declared: readonly Declared[], variables: Variables): Variables | undefined {
  const coerced: Record<string, unknown> = {};
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
  // Copied: a variable may be called `__proto__`.
  return fits ? { ...coerced } : undefined;
}

function whyNot(
  surface: Surface,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Variables,
): readonly ResultError[] {
  const { errors = [] } = getVariableValues(schemaOf(surface), variableDefinitions, variables, {
    maxErrors: 5,
  });
  return errors.map((error) => variableError(surface, error));
}

function variableError(surface: Surface, error: GraphQLError): ResultError {
  const { message, locations } = toResultError(error);
  const words = surface === 'customer' ? message.replace(/,? did you mean.*$/is, '.') : message;
  return {
    message: shortened(words),
    ...(locations && { locations }),
    extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
  };
}
