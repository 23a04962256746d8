import { unauthenticatedError } from './unauthenticated-error.ts';

const BEARER_HEADER_PATTERN = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i;
const MAX_BEARER_HEADER_LENGTH = 1024;

/**
 * Reads the token of an `Authorization: Bearer` header (RFC 6750, section 2.1).
 * @throws UNAUTHENTICATED when the header is missing or malformed
 */
export function readBearerToken(authorization: string | undefined): string {
  if (authorization === undefined || authorization === '')
    throw unauthenticatedError('The Authorization header is missing.');
  const token =
    authorization.length > MAX_BEARER_HEADER_LENGTH
      ? undefined
      : BEARER_HEADER_PATTERN.exec(authorization)?.[1];
  if (token === undefined)
    throw unauthenticatedError('The Authorization header must read: Bearer, a space, and the token.');
  return token;
}
