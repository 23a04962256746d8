/** Whether the response to a change was lost, so that the change may have been made. */
import { ServiceError } from './service-error.ts';

export function isOutcomeUnknown(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.code === 'OUTCOME_UNKNOWN';
}

/** Whether the error proves that nothing was changed. Errors that are no ServiceError prove nothing. */
export function provesNothingChanged(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.code !== 'OUTCOME_UNKNOWN';
}

/**
 * Runs a step of a change after which something has been changed already: from then on, no error proves that nothing was.
 * @throws OUTCOME_UNKNOWN in place of every other ServiceError
 */
export async function runAfterChangeStarted<T>(madeChange: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (!provesNothingChanged(error)) throw error;
    throw new ServiceError('OUTCOME_UNKNOWN', { internal: `${madeChange}: ${error.message}`, cause: error });
  }
}
