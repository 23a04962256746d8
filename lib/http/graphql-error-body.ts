import type { ServiceError } from '../errors/service-error.ts';

/** The body of a GraphQL request that was refused as a whole: `{"errors":[{"message","extensions":{"code"}}]}`. */
export function graphqlErrorBody(error: ServiceError, requestId: string) {
  const { code, details, extensions, publicMessage, status } = error;
  return {
    errors: [
      {
        message: publicMessage,
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
