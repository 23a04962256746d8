/** Gives errors of parsing, validating and variables the codes that the platform gives them. */
import { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';

const codes: [RegExp, string][] = [
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

/** The plugin: validation errors and errors of variables get `extensions.code`. */
export function codeErrors(): Plugin {
  return {
    onValidate:
      () =>
      ({ result, setResult }) => {
        if (Array.isArray(result) && result.length > 0) setResult(result.map(validationError));
      },
    onExecute: () => ({
      onExecuteDone({ result, setResult }) {
        if (Symbol.asyncIterator in result || result.errors === undefined) return;
        setResult({ ...result, errors: result.errors.map(variableError) });
      },
    }),
  };
}

function validationError(error: GraphQLError): GraphQLError {
  const code = codes.find(([pattern]) => pattern.test(error.message))?.[1] ?? 'argumentLiteralsIncompatible';
  return withCode(error, code);
}

/** Variables that do not fit are found at execution: they have no path. */
function variableError(error: GraphQLError): GraphQLError {
  const isVariable = error.path === undefined && /^Variable "\$/.test(error.message);
  return isVariable ? withCode(error, 'INVALID_VARIABLE') : error;
}

function withCode(error: GraphQLError, code: string): GraphQLError {
  const { message, extensions } = error;
  return new GraphQLError(message, { nodes: error.nodes ?? null, extensions: { ...extensions, code } });
}
