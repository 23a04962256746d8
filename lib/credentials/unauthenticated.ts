import { ServiceError } from '../errors/service-error.ts';

/** The refusal of a credential, with `details` on what is wrong with it (RFC 6750, section 3). */
export function unauthenticated(details: string): ServiceError {
  return new ServiceError('UNAUTHENTICATED', { details, headers: { 'www-authenticate': 'Bearer' } });
}
