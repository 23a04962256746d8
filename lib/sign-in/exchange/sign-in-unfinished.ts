import { ServiceError } from '../../errors/service-error.ts';

/** Builds TEMPORARILY_UNAVAILABLE for a sign-in that the same exchange, sent again after `waitMs`, may complete. */
export function signInUnfinished(internal: string, waitMs = 1_000): ServiceError {
  return new ServiceError('TEMPORARILY_UNAVAILABLE', {
    internal: `exchange: ${internal}`,
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
  });
}
