/** Classifies errors: transient ones, and those after which the change may have been made (docs/errors.md). */

import { isServiceError, type ServiceError } from '../errors/service-error.ts';
import { PERMANENT, RETRYABLE } from '../generated/error-codes.ts';

/** Whether the same request may succeed later. Such an error never ends a session. */
export function isTransient({ code, status }: ServiceError): boolean {
  if (code === 'NETWORK' || RETRYABLE.includes(code)) return true;
  // The status decides for an unknown code, and without a code: the response of a gateway or a proxy.
  return (status === 429 || status >= 500) && !PERMANENT.includes(code);
}

/** Whether the request may have changed data, so that the caller has to read the result. */
export function mayHaveRun({ code, status }: ServiceError): boolean {
  if (status >= 500 && status !== 503) return true;
  return code === 'NETWORK' || code === 'INTERNAL_ERROR' || code === 'OUTCOME_UNKNOWN';
}

/** Whether the service has rejected the sign-in or sign-out, so that a retry is of no use. */
export function isFinal(error: unknown): boolean {
  return isServiceError(error) && !isTransient(error) && !['UNKNOWN', 'STORAGE'].includes(error.code);
}
