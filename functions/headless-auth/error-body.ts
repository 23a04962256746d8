import type { ServiceError } from '../../lib/errors/service-error.ts';

/** `{"error":{"code","message","requestId"}}`: `message` says what to do. */
export function signInErrorBody(error: ServiceError, requestId: string) {
  return { error: { code: error.code, message: error.publicMessage, requestId } };
}
