/** The platform refuses a draft, or a change of it; the client is told in codes of the service's schema. */
import type { OperationError, PlatformUserError } from '../operation-error.ts';

/** The refusal of a draft as a whole: none of the client's arguments is at fault by itself. */
export type DraftRefusal =
  | { readonly kind: 'stale' }
  | { readonly kind: 'refused'; readonly userErrors: readonly PlatformUserError[] };

/** The refusal of a change of the draft, in the client's words. */
export type ChangeRefusal =
  | { readonly kind: 'stale' }
  | { readonly kind: 'refused'; readonly userErrors: readonly OperationError[] };

const STALE = 'STALE_CONTRACT';
const OWN_CODES: Readonly<Record<string, string>> = {
  HAS_FUTURE_EDITS: 'HAS_FUTURE_EDITS',
  INVALID_BILLING_DATE: 'DATE_IN_PAST',
  INVALID_LINES: 'EMPTY_CONTRACT',
};

/** Whether another commit came first. Nothing was changed then, and a fresh draft may be taken. */
export function isStale(userErrors: readonly PlatformUserError[]): boolean {
  return userErrors.some(({ code }) => code === STALE);
}

/** The service's code for one of the platform's. */
export function toOwnCode(code: string | null): string {
  return OWN_CODES[code ?? ''] ?? 'INVALID';
}

/** The error CONCURRENT_UPDATE: the contract kept changing, or changed so that the request makes no sense any more. */
export function concurrentUpdate(
  field: readonly string[] | null,
  detail = 'Read it and try again.',
): OperationError {
  const message = `The subscription contract was changed by somebody else meanwhile. ${detail}`;
  return { field, message, code: 'CONCURRENT_UPDATE' };
}
