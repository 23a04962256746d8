/**
 * Coerces the client's variables by the types of the operation. The types are resolved once per document.
 * Coercion stops after five errors and reports that there are more.
 */
import {
  coerceInputValue,
  type DocumentNode,
  GraphQLError,
  type GraphQLInputType,
  isInputType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
  type VariableDefinitionNode,
  valueFromAST,
} from 'graphql';
import type { Variables } from '../plan/client-document.ts';
import type { ResultError } from '../plan/result-error.ts';
import { prepareVariableChecks } from '../policy/check-variables.ts';
import { writeInvalidValueMessage } from '../policy/errors/invalid-value-message.ts';
import { getSchema, type Surface } from '../schema/schema.ts';
import { toResultError } from './to-result-error.ts';

/** Coerces the client's variables, or returns the errors of those that are invalid. */
export type CoerceVariables = (
  variables: Variables,
) => { readonly coerced: Variables } | { readonly errors: readonly ResultError<string>[] };

/** Prepares the coercion for an operation of a validated document. */
export function prepareVariableCoercion(
  surface: Surface,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): CoerceVariables {
  const variableChecks = prepareVariableChecks(surface, document, operation);
  const coercionContext = {
    declared: listDeclaredVariables(surface, operation),
    hideSuggestions: surface === 'customer',
  };
  return (variables) => {
    const closedNameErrors = variableChecks.raw.flatMap((check) => check(variables));
    if (closedNameErrors.length > 0) return { errors: closedNameErrors.map(toResultError) };
    const outcome = coerceAllVariables(coercionContext, variables);
    if ('errors' in outcome) return outcome;
    const valueErrors = variableChecks.coerced
      .flatMap((check) => check(outcome.coerced))
      .slice(0, MAX_ERRORS);
    return valueErrors.length > 0 ? { errors: valueErrors.map(toResultError) } : outcome;
  };
}

type DeclaredVariable = {
  readonly name: string;
  readonly type: GraphQLInputType;
  readonly isRequired: boolean;
  readonly definition: VariableDefinitionNode;
};

type VariableCoercion = { readonly declared: readonly DeclaredVariable[]; readonly hideSuggestions: boolean };

function listDeclaredVariables(
  surface: Surface,
  { variableDefinitions = [] }: OperationDefinitionNode,
): readonly DeclaredVariable[] {
  return variableDefinitions.map((definition) => {
    const { variable, type: reference } = definition;
    const type = typeFromAST(getSchema(surface), reference as never);
    if (!isInputType(type)) throw new Error(`$${variable.name.value} has no input type.`);
    return { name: variable.name.value, type, isRequired: isNonNullType(type), definition };
  });
}

/** Returns the coerced values, or the errors of invalid values, at most five (GraphQL specification, section 6.1.2). */
function coerceAllVariables(
  { declared, hideSuggestions }: VariableCoercion,
  variables: Variables,
): { readonly coerced: Variables } | { readonly errors: readonly ResultError<string>[] } {
  // The object has no prototype, because an omitted variable may be called `constructor`.
  const coercedVariables: Record<string, unknown> = Object.create(null);
  const errors = collectErrors((addError) => {
    for (const { name, type, isRequired, definition } of declared) {
      const { defaultValue } = definition;
      const isProvided = Object.hasOwn(variables, name);
      const variableValue = isProvided ? variables[name] : undefined;
      if (isProvided && variableValue === null && isRequired) {
        addError(definition, `Variable "$${name}" of non-null type "${type}" must not be null.`);
      } else if (isProvided) {
        const onError: OnError = (path, invalid, { message: reason }) =>
          addError(definition, writeInvalidValueMessage({ name, path, value: invalid, reason }));
        coercedVariables[name] = coerceInputValue(variableValue, type, onError, hideSuggestions);
      } else if (defaultValue !== undefined) {
        coercedVariables[name] = valueFromAST(defaultValue, type);
      } else if (isRequired) {
        addError(definition, `Variable "$${name}" of required type "${type}" was not provided.`);
      }
    }
  });
  return errors.length > 0 ? { errors } : { coerced: coercedVariables };
}

const MAX_ERRORS = 5;
const TOO_MANY_ERRORS_TEXT = 'Too many errors processing variables, error limit reached. Execution aborted.';
/** Thrown after the last error that is reported, to end the coercion. */
const ERROR_LIMIT_REACHED = Symbol('enough errors');

/** Adds an error of a variable. The error after the fifth one says that there are more, and throws ERROR_LIMIT_REACHED. */
type AddError = (definition: VariableDefinitionNode, message: string) => void;

/** Returns the errors that `work` adds, up to the limit; empty when every value fits. */
function collectErrors(coerceValues: (addError: AddError) => void): readonly ResultError<string>[] {
  const errors: GraphQLError[] = [];
  const addError: AddError = (definition, message) => {
    const isLastError = errors.length === MAX_ERRORS;
    errors.push(
      new GraphQLError(isLastError ? TOO_MANY_ERRORS_TEXT : message, {
        nodes: isLastError ? null : definition,
      }),
    );
    if (isLastError) throw ERROR_LIMIT_REACHED;
  };
  try {
    coerceValues(addError);
  } catch (error) {
    if (error !== ERROR_LIMIT_REACHED) throw error;
  }
  return errors.map(toResultError);
}

type OnError = NonNullable<Parameters<typeof coerceInputValue>[2]>;
