/** Converts the platform's refusals of a draft, or of a change of it, to codes of the service's schema. */
import { isMessage, message } from '../../messages/message.ts';
import { type OperationError, type PlatformUserError, refuse } from '../operation-error.ts';

/** The refusal of a draft as a whole: no single argument of the client is wrong. */
export type DraftRefusal =
  | { readonly kind: 'stale' }
  | { readonly kind: 'refused'; readonly userErrors: readonly PlatformUserError[] };

/** The refusal of a change of the draft, in terms of the client's arguments. */
export type ChangeRefusal =
  | { readonly kind: 'stale' }
  | { readonly kind: 'refused'; readonly userErrors: readonly OperationError[] };

const STALE = 'STALE_CONTRACT';

/** Whether another commit came first. Nothing was changed then, and a new draft may be opened. */
export function isStale(userErrors: readonly PlatformUserError[]): boolean {
  return userErrors.some(({ code }) => code === STALE);
}

/** Converts a refusal to the service's codes, at the client's argument. */
export function toOwnError({ field, message: text, code }: PlatformUserError): OperationError {
  if (code === 'HAS_FUTURE_EDITS') return refuse(code, { field, message: message('futureEdits') });
  if (code === 'INVALID_LINES') {
    return refuse('EMPTY_CONTRACT', { field, message: message('lineLast') }, { limit: FEWEST_LINES });
  }
  return refuse('INVALID', { field, message: code === 'TOO_MANY_LINES' ? message('linesFull') : text });
}

/** The minimum number of a contract's lines. */
export const FEWEST_LINES = 1;

/** Returns CONCURRENT_UPDATE: the contract was changed repeatedly, or a change made the request invalid. */
export function concurrentUpdate(
  field: readonly string[] | null,
  text?: OperationError['message'],
): OperationError {
  // The platform's messages are in a language of its choice.
  const detail = isMessage(text) ? text : message('readAndTryAgain');
  return refuse('CONCURRENT_UPDATE', { field, message: message('contractChangedMeanwhile', { detail }) });
}
