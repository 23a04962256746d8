/** The platform's refusals of a draft in the client's words: our codes, and fields that are the client's arguments. */
import type { OperationError } from '../operation-error.ts';

/** One entry of a draft payload's `userErrors`. */
export type PlatformUserError = {
  readonly field: readonly string[] | null;
  readonly message: string;
  readonly code: string | null;
};

const STALE = 'STALE_CONTRACT';
const OWN_CODES: Readonly<Record<string, string>> = {
  HAS_FUTURE_EDITS: 'HAS_FUTURE_EDITS',
  INVALID_BILLING_DATE: 'DATE_IN_PAST',
  INVALID_LINES: 'EMPTY_CONTRACT',
};

/** Whether another commit came first: nothing was changed, and a fresh draft may be taken. */
export function isStale(userErrors: readonly PlatformUserError[]): boolean {
  return userErrors.some(({ code }) => code === STALE);
}

/** Our code for one of the platform's. */
export function toOwnCode(code: string | null): string {
  return OWN_CODES[code ?? ''] ?? 'INVALID';
}

/** The contract kept changing, or changed so that the request makes no sense any more. */
export function concurrentUpdate(
  field: readonly string[] | null,
  detail = 'Read it and try again.',
): OperationError {
  const message = `The subscription contract was changed by somebody else meanwhile. ${detail}`;
  return { field, message, code: 'CONCURRENT_UPDATE' };
}
