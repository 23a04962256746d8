import type { ServiceError } from '../errors/service-error.ts';
import type { LocalizedErrorText } from './respond-to-errors.ts';

/**
 * Returns the response body for a GraphQL request that was rejected as a whole:
 * `{"errors":[{"message","extensions":{"code"}}]}`.
 */
export function graphqlErrorBody(error: ServiceError, { requestId, message }: LocalizedErrorText) {
  const { code, details, extensions, status } = error;
  return {
    errors: [
      {
        message,
        extensions: {
          code,
          ...(details !== undefined && { details }),
          ...extensions,
          ...(status === 500 && { requestId }),
        },
      },
    ],
  };
}
