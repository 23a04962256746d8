import type { ServiceError } from '../errors/service-error.ts';
import type { ErrorText } from './answer-errors.ts';

/**
 * Builds the body for a GraphQL request that was refused as a whole:
 * `{"errors":[{"message","extensions":{"code"}}]}`.
 */
export function graphqlErrorBody(error: ServiceError, { requestId, message }: ErrorText) {
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
