/** Errors of a GraphQL answer, with the platform's `extensions.code`. */
import { GraphQLError } from 'graphql';

/** An error of one field: its message, its code, and what else the platform tells. */
export function apiError(
  message: string,
  code: string,
  more: Readonly<Record<string, string>> = {},
): GraphQLError {
  return new GraphQLError(message, { extensions: { code, ...more } });
}

/** What an id that names nothing of that type is answered with. */
export function invalidId(id: string): GraphQLError {
  return apiError(`Invalid id: ${id}`, 'RESOURCE_NOT_FOUND');
}
