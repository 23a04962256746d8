import type { ServiceError } from '../errors/service-error.ts';

/** `{"errors":[{"message","extensions":{"code"}}]}`: the body of a request that was refused as a whole. */
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
