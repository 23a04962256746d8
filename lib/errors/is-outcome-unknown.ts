/** Whether a request to the platform was sent and its response lost: the change may have been made or not. */
import { ServiceError } from './service-error.ts';

export function isOutcomeUnknown(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.code === 'OUTCOME_UNKNOWN';
}

/** Whether the error proves that nothing was changed. An internal error proves nothing. */
export function isCertainlyNotDone(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.code !== 'OUTCOME_UNKNOWN';
}
