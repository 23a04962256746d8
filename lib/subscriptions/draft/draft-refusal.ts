/** The platform refuses a draft, or a change of it; the client is told in codes of the service's schema. */
import { isMessage, message } from '../../messages/message.ts';
import { type OperationError, type PlatformUserError, refuse } from '../operation-error.ts';

/** The refusal of a draft as a whole: none of the client's arguments is at fault by itself. */
export type DraftRefusal =
  | { readonly kind: 'stale' }
  | { readonly kind: 'refused'; readonly userErrors: readonly PlatformUserError[] };

/** The refusal of a change of the draft, in the client's words. */
export type ChangeRefusal =
  | { readonly kind: 'stale' }
  | { readonly kind: 'refused'; readonly userErrors: readonly OperationError[] };

const STALE = 'STALE_CONTRACT';

/** Whether another commit came first. Nothing was changed then, and a fresh draft may be taken. */
export function isStale(userErrors: readonly PlatformUserError[]): boolean {
  return userErrors.some(({ code }) => code === STALE);
}

/** The refusal in codes of ours, at the client's argument. */
export function toOwnError({ field, message: words, code }: PlatformUserError): OperationError {
  if (code === 'HAS_FUTURE_EDITS') return refuse(code, { field, message: message('futureEdits') });
  if (code === 'INVALID_LINES') {
    return refuse('EMPTY_CONTRACT', { field, message: message('lineLast') }, { limit: FEWEST_LINES });
  }
  return refuse('INVALID', { field, message: code === 'TOO_MANY_LINES' ? message('linesFull') : words });
}

/** A contract keeps at least so many lines. */
export const FEWEST_LINES = 1;

/** The error CONCURRENT_UPDATE: the contract kept changing, or changed so that the request makes no sense any more. */
export function concurrentUpdate(
  field: readonly string[] | null,
  words?: OperationError['message'],
): OperationError {
  // Those of the platform are in a language of its choice.
  const detail = isMessage(words) ? words : message('readAndTryAgain');
  return refuse('CONCURRENT_UPDATE', { field, message: message('contractChangedMeanwhile', { detail }) });
}
