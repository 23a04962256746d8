/** What a request fails with whose first read the platform did not answer: nothing has been changed by it. */
import { ServiceError } from '../../lib/errors/service-error.ts';
import { isDenied, type PlatformError } from '../../lib/platform/admin-answer.ts';
import { notGranted } from '../../lib/platform/admin-failure.ts';

/** PLATFORM_UNAVAILABLE, or STORE_DISCONNECTED where the store has not granted what is read. */
export function noProof(errors: readonly PlatformError[]): ServiceError {
  const [first] = errors;
  const reason = `no proof: ${first?.message ?? 'no answer'}`;
  if (first !== undefined && errors.every(isDenied)) return notGranted(reason);
  return new ServiceError('PLATFORM_UNAVAILABLE', { internal: reason, retryAfterSeconds: 2 });
}
