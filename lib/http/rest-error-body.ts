import type { ServiceError } from '../errors/service-error.ts';
import type { ErrorText } from './answer-errors.ts';

/**
 * The body of an error on routes without GraphQL: `{"error":{"code","message","requestId"}}`. `message` says what to
 * do.
 */
export function restErrorBody({ code }: ServiceError, body: ErrorText) {
  const { message, requestId } = body;
  return { error: { code, message, requestId } };
}
