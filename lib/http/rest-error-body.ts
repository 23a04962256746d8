import type { ServiceError } from '../errors/service-error.ts';
import type { ToldError } from './answer-errors.ts';

/**
 * The body of an error on routes without GraphQL: `{"error":{"code","message","requestId"}}`. `message` says what to
 * do.
 */
export function restErrorBody({ code }: ServiceError, told: ToldError) {
  const { message, requestId } = told;
  return { error: { code, message, requestId } };
}
