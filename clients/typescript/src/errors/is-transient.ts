/** Classifies errors: transient ones, and those after which the change may have been made (docs/errors.md). */
import { PERMANENT, RETRYABLE } from '../generated/error-codes.ts';

/** The fields of a ServiceError that say what kind of failure it is. */
type RequestFailure = { readonly code: string; readonly status: number };

/** Whether the same request may succeed later. Such an error never ends a session. */
export function isTransient({ code, status }: RequestFailure): boolean {
  if (code === 'NETWORK' || RETRYABLE.includes(code)) return true;
  // The status decides for an unknown code, and without a code: the response of a gateway or a proxy.
  return (status === 429 || status >= 500) && !PERMANENT.includes(code);
}

/** Whether the request may have changed data, so that the caller has to read the result. */
export function mayHaveRun({ code, status }: RequestFailure): boolean {
  if (status >= 500 && status !== 503) return true;
  return code === 'NETWORK' || code === 'INTERNAL_ERROR' || code === 'OUTCOME_UNKNOWN';
}
