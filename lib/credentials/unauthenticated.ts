import { ServiceError } from '../errors/service-error.ts';

/** Builds the error for an invalid credential, with `details` about the reason (RFC 6750, section 3). */
export function unauthenticated(details: string): ServiceError {
  return new ServiceError('UNAUTHENTICATED', { details, headers: { 'www-authenticate': 'Bearer' } });
}
