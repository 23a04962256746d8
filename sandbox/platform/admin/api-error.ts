/** Errors of a GraphQL response, with the platform's `extensions.code`. */
import { GraphQLError } from 'graphql';

/** Creates an error of one field: its message, its code, and the platform's other extensions. */
export function createApiError(
  message: string,
  code: string,
  otherExtensions: Readonly<Record<string, string>> = {},
): GraphQLError {
  return new GraphQLError(message, { extensions: { code, ...otherExtensions } });
}

/** Creates the error for an id that is malformed, has another type, or names an object that does not exist. */
export function createInvalidIdError(id: string): GraphQLError {
  return createApiError(`Invalid id: ${id}`, 'RESOURCE_NOT_FOUND');
}
