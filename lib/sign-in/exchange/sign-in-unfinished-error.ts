import { ServiceError } from '../../errors/service-error.ts';

/**
 * Returns TEMPORARILY_UNAVAILABLE for an exchange that can succeed when the app repeats it after `waitMs` milliseconds.
 */
export function signInUnfinishedError(internal: string, waitMs = 1_000): ServiceError {
  return new ServiceError('TEMPORARILY_UNAVAILABLE', {
    internal: `exchange: ${internal}`,
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
  });
}
