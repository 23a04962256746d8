/** Whether the response to a change was lost, so that the change may have been made. */
import { ServiceError } from './service-error.ts';

export function isOutcomeUnknown(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.code === 'OUTCOME_UNKNOWN';
}

/** Whether the error proves that nothing was changed. Errors that are no ServiceError prove nothing. */
export function isCertainlyNotDone(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.code !== 'OUTCOME_UNKNOWN';
}
