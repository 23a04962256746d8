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
 * Runs a step of a change of which an earlier step has already changed something, so that no error proves that nothing
 * was changed. `changeDescription` is for the log.
 * @throws OUTCOME_UNKNOWN in place of every other ServiceError
 */
export async function runAfterChangeStarted<T>(
  changeDescription: string,
  step: () => Promise<T>,
): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (!provesNothingChanged(error)) throw error;
    throw new ServiceError('OUTCOME_UNKNOWN', {
      internal: `${changeDescription}: ${error.message}`,
      cause: error,
    });
  }
}
