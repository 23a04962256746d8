/** Maps a failed attempt to the reason for its failure and to the error of the catalogue. */
import { ServiceError } from '../../errors/service-error.ts';
import { TransportError } from '../send-request.ts';
import type { AdminOutcome, PlatformCost } from './admin-response.ts';
import { accessNotGrantedError } from './missing-access.ts';
import { type GidNamespaces, rejectedDocumentError } from './rejected-document-error.ts';

/** The reason why an attempt returned no usable response. */
export type AdminFailure =
  | AdminOutcome
  | { readonly kind: 'lost' }
  | { readonly kind: 'not-sent' }
  | { kind: 'too-large' };

export type ThrottledFailure = Extract<AdminFailure, { kind: 'throttled' }>;

/** Maps an error of the transport to its failure. Other errors are thrown again. */
export function toAdminFailure(error: unknown): AdminFailure {
  if (!(error instanceof TransportError)) throw error;
  if (error.kind === 'too-large') return { kind: 'too-large' };
  return { kind: error.sent ? 'lost' : 'not-sent' };
}

/** Returns the seconds to wait: the platform's value, or (requested − available) / restore rate. */
export function secondsUntilRetry({ retryAfterSeconds, cost }: ThrottledFailure): number {
  if (retryAfterSeconds !== undefined) return retryAfterSeconds;
  if (cost === undefined) return 1;
  const { currentlyAvailable, restoreRate } = cost.throttleStatus;
  const missingPoints = Math.max(0, cost.requestedQueryCost - currentlyAvailable);
  return missingPoints / Math.max(1, restoreRate);
}

type FailedOperation = { readonly mutates: boolean; readonly caller?: GidNamespaces | undefined };

/** Maps a failure that is not retried to its error. */
export function toPlatformServiceError(
  reading: AdminFailure,
  { mutates, caller }: FailedOperation,
): ServiceError {
  switch (reading.kind) {
    case 'throttled':
      return throttledServiceError(secondsUntilRetry(reading), reading.cost);
    case 'too-costly':
      return new ServiceError('QUERY_TOO_COMPLEX', {
        message: reading.message,
        ...(reading.cost && { extensions: { cost: reading.cost } }),
      });
    case 'too-large':
      return mutates
        ? new ServiceError('OUTCOME_UNKNOWN', { internal: 'the answer is too large' })
        : new ServiceError('QUERY_TOO_COMPLEX', {
            message: 'The response is larger than 5 MB. Request fewer objects at a time.',
          });
    case 'unauthorized':
    case 'disconnected':
      return new ServiceError('STORE_DISCONNECTED', { internal: reading.kind });
    case 'rejected':
      return rejectedDocumentError(reading, caller);
    case 'denied':
      return accessNotGrantedError(reading.errors);
    case 'not-sent':
      return new ServiceError('PLATFORM_UNAVAILABLE', { internal: 'no connection', retryAfterSeconds: 2 });
    default:
      return mutates
        ? new ServiceError('OUTCOME_UNKNOWN', { internal: reading.kind })
        : new ServiceError('PLATFORM_UNAVAILABLE', { internal: reading.kind, retryAfterSeconds: 2 });
  }
}

/** Builds THROTTLED with the whole seconds to wait. */
export function throttledServiceError(seconds: number, cost?: PlatformCost): ServiceError {
  return new ServiceError('THROTTLED', {
    retryAfterSeconds: Math.max(1, Math.ceil(seconds)),
    ...(cost && { extensions: { cost } }),
  });
}
