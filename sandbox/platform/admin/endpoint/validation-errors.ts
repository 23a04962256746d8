/** Adds the platform's codes to errors of parsing, validation and variables. */
import { GraphQLError } from 'graphql';

const codeByMessagePattern: [RegExp, string][] = [
  [/^Cannot query field/, 'undefinedField'],
  [/^Unknown argument/, 'argumentNotAccepted'],
  [/argument ".+" of type ".+" is required/, 'missingRequiredArguments'],
  [/^Unknown fragment/, 'undefinedFragment'],
  [/must have a selection of subfields|must not have a selection/, 'selectionMismatch'],
  [/^Unknown type/, 'undefinedType'],
  [/^Variable ".+" of type ".+" used in position/, 'variableMismatch'],
  [/^Variable ".+" is not defined/, 'variableNotDefined'],
  [/^Variable ".+" is never used/, 'variableNotUsed'],
  [/^Fragment ".+" is never used/, 'useAndDefineFragment'],
  [/^Unknown directive/, 'undefinedDirective'],
  [/^Field ".+" of required type ".+" was not provided/, 'missingRequiredInputObjectAttribute'],
  [/^Field ".+" is not defined by type/, 'argumentNotAccepted'],
];

/** Returns the error of an invalid document with its `extensions.code`. */
export function toPlatformValidationError(error: GraphQLError): GraphQLError {
  const code =
    codeByMessagePattern.find(([pattern]) => pattern.test(error.message))?.[1] ??
    'argumentLiteralsIncompatible';
  return withErrorCode(error, code);
}

/**
 * Adds the code to the errors of invalid variables, which occur during execution and have no path. Other errors stay
 * unchanged.
 */
export function toPlatformVariableError(error: GraphQLError): GraphQLError {
  const isVariableError = error.path === undefined && /^Variable "\$/.test(error.message);
  return isVariableError ? withErrorCode(error, 'INVALID_VARIABLE') : error;
}

function withErrorCode(error: GraphQLError, code: string): GraphQLError {
  const { message, extensions } = error;
  return new GraphQLError(message, { nodes: error.nodes ?? null, extensions: { ...extensions, code } });
}
