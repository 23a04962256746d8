import { ServiceError } from '../errors/service-error.ts';

/** Whether the error is temporary, so that the same request may succeed later. */
export function isTransientError(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.code === 'TEMPORARILY_UNAVAILABLE';
}
