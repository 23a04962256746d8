import type { ServiceError } from '../errors/service-error.ts';

/** `{"error":{"code","message","requestId"}}`: the page shows `message` as it is. */
export function claimErrorBody(error: ServiceError, requestId: string) {
  return { error: { code: error.code, message: error.publicMessage, requestId } };
}
