/** Why a root, or one of its ids, is not answered, in the words for clients. */
import { ACCESS_DENIED, isAbsence, isDenied, type PlatformError } from '../../lib/platform/admin-answer.ts';
import { fieldError, type ResultError } from './graphql-result.ts';
import type { Path } from './walk-answer.ts';

/**
 * `forbidden`: not the acting customer's, or not there. `unavailable`: the platform failed to tell. `denied`: the store
 * has not granted what would tell.
 */
export type Refusal = 'forbidden' | 'unavailable' | 'denied';

/** What the platform's errors leave open: nothing if they only say that there is no such object. */
export function refusalFrom(errors: readonly PlatformError[]): Refusal {
  const reasons = errors.filter((error) => !isAbsence(error));
  if (reasons.length === 0) return 'forbidden';
  return reasons.every(isDenied) ? 'denied' : 'unavailable';
}

/** Of ACCESS_DENIED: the platform's own words are about our app. */
export const NOT_GRANTED = 'The store has not granted access to this field.';

/** The error of a refused field. */
export function refusalError(refusal: Refusal, path: Path): ResultError {
  if (refusal === 'denied') return { message: NOT_GRANTED, path, extensions: { code: ACCESS_DENIED } };
  return fieldError(refusal === 'forbidden' ? 'FORBIDDEN' : 'PLATFORM_UNAVAILABLE', path);
}
