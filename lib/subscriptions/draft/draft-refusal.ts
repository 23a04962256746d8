/** Converts the platform's user errors for a draft to codes of the service's schema. */
import { isMessage, message } from '../../messages/message.ts';
import { createUserError, type OperationError, type PlatformUserError } from '../operation-error.ts';

/** The platform refused to open or to commit the draft. The user errors still have the platform's fields and codes. */
export type DraftRefusal =
  | { readonly kind: 'stale' }
  | { readonly kind: 'refused'; readonly userErrors: readonly PlatformUserError[] };

/** The platform refused a change of the draft. The user errors name the client's arguments. */
export type DraftChangeRefusal =
  | { readonly kind: 'stale' }
  | { readonly kind: 'refused'; readonly userErrors: readonly OperationError[] };

const STALE_CONTRACT_CODE = 'STALE_CONTRACT';

/**
 * Whether the platform refused a step of the draft (open, change or commit) because the contract has changed in the
 * meantime. The draft has changed nothing, and a new one may be opened.
 */
export function isStaleDraft(userErrors: readonly PlatformUserError[]): boolean {
  return userErrors.some(({ code }) => code === STALE_CONTRACT_CODE);
}

/** Converts a user error of the platform to the service's codes. Its `field` is already the client's argument. */
export function toServiceUserError({
  field,
  message: platformText,
  code,
}: PlatformUserError): OperationError {
  if (code === 'HAS_FUTURE_EDITS') return createUserError(code, { field, message: message('futureEdits') });
  if (code === 'INVALID_LINES') {
    return createUserError('EMPTY_CONTRACT', { field, message: message('lineLast') }, { limit: MIN_LINES });
  }
  return createUserError('INVALID', {
    field,
    message: code === 'TOO_MANY_LINES' ? message('linesFull') : platformText,
  });
}

/** The minimum number of lines of a contract. */
export const MIN_LINES = 1;

/**
 * Returns CONCURRENT_UPDATE. It is used when the contract was changed concurrently several times, or when a
 * concurrent change made the request invalid.
 */
export function concurrentUpdateError(
  field: readonly string[] | null,
  detail?: OperationError['message'],
): OperationError {
  // Use the platform's text only if it is a message of the service: the platform's language may not be the client's.
  const detailMessage = isMessage(detail) ? detail : message('readAndTryAgain');
  return createUserError('CONCURRENT_UPDATE', {
    field,
    message: message('contractChangedMeanwhile', { detail: detailMessage }),
  });
}
