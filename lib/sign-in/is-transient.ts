import { ServiceError } from '../errors/service-error.ts';

/** Whether an error is passing trouble: nothing is known to be wrong with the request. */
export function isTransient(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.code === 'TEMPORARILY_UNAVAILABLE';
}
