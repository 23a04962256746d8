/** Converts an error of graphql-js to an error of the response, with a code of the catalogue. */
import type { GraphQLError } from 'graphql';
import type { ResultError } from '../plan/result-error.ts';
import { shortenMessage } from '../policy/errors/shorten-message.ts';

export function toResultError({ message, locations, extensions }: GraphQLError): ResultError<string> {
  const code = extensions.code ?? 'GRAPHQL_VALIDATION_FAILED';
  return {
    message: shortenMessage(message),
    ...(locations && { locations }),
    extensions: { ...extensions, code },
  };
}
