import type { ServiceError } from '../errors/service-error.ts';
import type { LocalizedErrorText } from './respond-to-errors.ts';

/**
 * Returns the response body of an error on routes other than GraphQL: `{"error":{"code","message","requestId"}}`.
 * `message` explains what to do.
 */
export function restErrorBody({ code }: ServiceError, errorText: LocalizedErrorText) {
  const { message, requestId } = errorText;
  return { error: { code, message, requestId } };
}
