/** What may succeed in a moment, and what may have been done although it failed (docs/errors.md). */

import { isServiceError, type ServiceError } from '../errors/service-error.ts';
import { PERMANENT, RETRYABLE } from '../generated/error-codes.ts';

/** The same request may well succeed later; nobody's sign-in ends because of it. */
export function isTransient({ code, status }: ServiceError): boolean {
  if (code === 'NETWORK' || RETRYABLE.includes(code)) return true;
  // By the status where the code is newer than this client, or is none: of the gateway, or of something on the way.
  return (status === 429 || status >= 500) && !PERMANENT.includes(code);
}

/** The request may have run, and whoever does not know has to read. */
export function mayHaveRun({ code, status }: ServiceError): boolean {
  if (status >= 500 && status !== 503) return true;
  return code === 'NETWORK' || code === 'INTERNAL_ERROR' || code === 'OUTCOME_UNKNOWN';
}

/** The service has said no to this sign-in or sign-out: sending it once more is of no use. */
export function isFinal(error: unknown): boolean {
  return isServiceError(error) && !isTransient(error) && !['UNKNOWN', 'STORAGE'].includes(error.code);
}
