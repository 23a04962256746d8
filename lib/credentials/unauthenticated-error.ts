import { ServiceError } from '../errors/service-error.ts';

/**
 * Builds the error for an invalid credential; `details` is the reason, for the client and the log (RFC 6750, section
 * 3).
 */
export function unauthenticatedError(details: string): ServiceError {
  const headers = { 'www-authenticate': 'Bearer' };
  return new ServiceError('UNAUTHENTICATED', { details, internal: details, headers });
}
