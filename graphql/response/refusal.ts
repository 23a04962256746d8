/** Classifies why a root, or one of its ids, is refused, and creates the client's error. */
import {
  isAccessDenied,
  isNotFoundError,
  type PlatformError,
} from '../../lib/platform/admin-api/admin-response.ts';
import { accessNotGrantedError } from '../../lib/platform/admin-api/missing-access.ts';
import type { ResponsePath, ResultError } from '../plan/result-error.ts';
import type { RootRefusal } from '../plan/root-response.ts';
import { createFieldError, toFieldError } from './graphql-result.ts';

/**
 * Returns the refusal for the platform's errors: `forbidden` if there is none, or if all mean that the object does not exist;
 * `denied` if all others mean missing access; else `unavailable`.
 */
export function classifyRefusal(errors: readonly PlatformError[]): RootRefusal {
  const otherErrors = errors.filter((error) => !isNotFoundError(error));
  if (otherErrors.length === 0) return 'forbidden';
  return otherErrors.every(isAccessDenied) ? 'denied' : 'unavailable';
}

/** The facts of the request that determine the error of a refusal. */
export type RefusalOptions = {
  readonly isMerchant: boolean;
  /** The platform's errors, which name the missing access. */
  readonly errors: readonly PlatformError[];
};

/** Creates the error of a refused field. */
export function createRefusalError(
  refusal: RootRefusal,
  path: ResponsePath,
  options: RefusalOptions,
): ResultError {
  if (refusal === 'denied') return createAccessMissingError(options, path);
  return createFieldError(refusal === 'forbidden' ? 'FORBIDDEN' : 'PLATFORM_UNAVAILABLE', path);
}

/**
 * Builds STORE_ACCESS_MISSING for a field. The platform's own message is not used, because it addresses the app's
 * developer.
 */
export function createAccessMissingError(
  { errors, isMerchant }: RefusalOptions,
  path: ResponsePath,
): ResultError {
  return toFieldError(accessNotGrantedError(errors), path, isMerchant);
}
