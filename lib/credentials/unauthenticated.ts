import { ServiceError } from '../errors/service-error.ts';

/** Builds the error for an invalid credential; `details` tell the client and the log the reason (RFC 6750, section 3). */
export function unauthenticatedError(details: string): ServiceError {
  const headers = { 'www-authenticate': 'Bearer' };
  return new ServiceError('UNAUTHENTICATED', { details, internal: details, headers });
}
