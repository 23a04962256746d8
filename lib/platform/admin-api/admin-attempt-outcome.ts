/** Converts a failed attempt to an outcome, and the outcomes that are failures to errors of the catalogue. */
import { ServiceError } from '../../errors/service-error.ts';
import { TransportError } from '../send-request.ts';
import type { AdminOutcome, PlatformCost } from './admin-response.ts';
import { accessNotGrantedError } from './missing-access.ts';
import { type GidNamespaces, rejectedDocumentError } from './rejected-document-error.ts';

/** The outcome of an attempt: the meaning of its response, or why there is no usable response. */
export type AdminAttemptOutcome =
  | AdminOutcome
  | { readonly kind: 'lost' }
  | { readonly kind: 'not-sent' }
  | { kind: 'too-large' };

export type ThrottledOutcome = Extract<AdminAttemptOutcome, { kind: 'throttled' }>;

/** Converts an error of the transport to the attempt's outcome. Other errors are thrown again. */
export function toAdminAttemptOutcome(error: unknown): AdminAttemptOutcome {
  if (!(error instanceof TransportError)) throw error;
  if (error.kind === 'too-large') return { kind: 'too-large' };
  return { kind: error.mayHaveBeenReceived ? 'lost' : 'not-sent' };
}

/** Returns the seconds to wait: the platform's value, or (requested − available) / restore rate. */
export function secondsUntilRetry({ retryAfterSeconds, cost }: ThrottledOutcome): number {
  if (retryAfterSeconds !== undefined) return retryAfterSeconds;
  if (cost === undefined) return 1;
  const { currentlyAvailable, restoreRate } = cost.throttleStatus;
  const missingPoints = Math.max(0, cost.requestedQueryCost - currentlyAvailable);
  return missingPoints / Math.max(1, restoreRate);
}

type FailedOperation = { readonly mutates: boolean; readonly callerNamespaces?: GidNamespaces | undefined };

/** Converts the outcome of an attempt that is not retried to its error. */
export function toPlatformServiceError(
  attemptOutcome: AdminAttemptOutcome,
  { mutates, callerNamespaces }: FailedOperation,
): ServiceError {
  switch (attemptOutcome.kind) {
    case 'throttled':
      return throttledServiceError(secondsUntilRetry(attemptOutcome), attemptOutcome.cost);
    case 'too-costly':
      return new ServiceError('QUERY_TOO_COMPLEX', {
        message: attemptOutcome.message,
        ...(attemptOutcome.cost && { extensions: { cost: attemptOutcome.cost } }),
      });
    case 'too-large':
      return mutates
        ? new ServiceError('OUTCOME_UNKNOWN', { internal: 'the answer is too large' })
        : new ServiceError('QUERY_TOO_COMPLEX', {
            message: 'The response is larger than 5 MB. Request fewer objects at a time.',
          });
    case 'unauthorized':
    case 'disconnected':
      return new ServiceError('STORE_DISCONNECTED', { internal: attemptOutcome.kind });
    case 'rejected':
      return rejectedDocumentError(attemptOutcome, callerNamespaces);
    case 'denied':
      return accessNotGrantedError(attemptOutcome.errors);
    case 'not-sent':
      return new ServiceError('PLATFORM_UNAVAILABLE', {
        internal: 'the request was not sent',
        retryAfterSeconds: 2,
      });
    default:
      return mutates
        ? new ServiceError('OUTCOME_UNKNOWN', { internal: attemptOutcome.kind })
        : new ServiceError('PLATFORM_UNAVAILABLE', { internal: attemptOutcome.kind, retryAfterSeconds: 2 });
  }
}

/** Builds THROTTLED with the whole seconds to wait. */
export function throttledServiceError(seconds: number, cost?: PlatformCost): ServiceError {
  return new ServiceError('THROTTLED', {
    retryAfterSeconds: Math.max(1, Math.ceil(seconds)),
    ...(cost && { extensions: { cost } }),
  });
}
