import type { ServiceError } from '../errors/service-error.ts';
import type { ErrorText } from './answer-errors.ts';

/**
 * Builds the body of an error on routes without GraphQL: `{"error":{"code","message","requestId"}}`. `message`
 * describes the remedy.
 */
export function restErrorBody({ code }: ServiceError, body: ErrorText) {
  const { message, requestId } = body;
  return { error: { code, message, requestId } };
}
