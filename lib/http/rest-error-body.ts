import type { ServiceError } from '../errors/service-error.ts';

/** `{"error":{"code","message","requestId"}}`: the body of an error where there is no GraphQL. `message` says what to do. */
export function restErrorBody(error: ServiceError, requestId: string) {
  return { error: { code: error.code, message: error.publicMessage, requestId } };
}
