import type { ServiceError } from '../errors/service-error.ts';

/**
 * The body of an error on routes without GraphQL: `{"error":{"code","message","requestId"}}`. `message` says what to
 * do.
 */
export function restErrorBody(error: ServiceError, requestId: string) {
  return { error: { code: error.code, message: error.publicMessage, requestId } };
}
