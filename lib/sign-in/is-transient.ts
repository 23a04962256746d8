import { ServiceError } from '../errors/service-error.ts';

/** Whether an error is temporary, so that the request itself may be valid. */
export function isTransient(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.code === 'TEMPORARILY_UNAVAILABLE';
}
