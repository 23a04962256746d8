import { ServiceError } from '../errors/service-error.ts';
import type { HandlerStep } from './exchange.ts';
import type { ParsedBody } from './parse-json.ts';

/** A GraphQL request (GraphQL over HTTP, section "Request Parameters"). */
export type GraphqlRequest = {
  readonly query: string;
  readonly operationName: string | undefined;
  readonly variables: Readonly<Record<string, unknown>>;
};

/** The field that `readGraphqlRequest` adds to the exchange. */
export type WithGraphqlRequest = { graphql: GraphqlRequest };

/**
 * A GraphQL name (GraphQL specification, section 2.1.9). `$` matches only the end of the text, because the flag `m` is
 * not set.
 */
const GRAPHQL_NAME_PATTERN = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * Reads the GraphQL request from the fields of the body.
 * @throws INVALID_JSON, with the field's name in the message, when a field is missing or of the wrong type
 */
export const readGraphqlRequest: HandlerStep<ParsedBody & WithGraphqlRequest> = {
  name: 'readGraphqlRequest',
  before: ({ event: { exchange } }) => {
    const { query, operationName, variables, extensions } = exchange.json;
    if (typeof query !== 'string' || query.trim() === '') {
      throw invalidRequestError('The field "query" is required: the GraphQL document as a string.');
    }
    if (operationName !== undefined && operationName !== null && typeof operationName !== 'string') {
      throw invalidRequestError('The field "operationName" must be a string.');
    }
    if (operationName && !GRAPHQL_NAME_PATTERN.test(operationName)) {
      throw invalidRequestError('The field "operationName" must be the name of an operation in "query".');
    }
    if (!isObjectOrAbsent(variables)) throw invalidRequestError('The field "variables" must be an object.');
    if (!isObjectOrAbsent(extensions)) throw invalidRequestError('The field "extensions" must be an object.');
    exchange.graphql = {
      query,
      operationName: operationName || undefined,
      variables: (variables ?? {}) as Record<string, unknown>,
    };
  },
};

function isObjectOrAbsent(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'object' && !Array.isArray(value));
}

function invalidRequestError(message: string): ServiceError {
  return new ServiceError('INVALID_JSON', { message });
}
