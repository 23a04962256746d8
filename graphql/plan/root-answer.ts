/** The outcome of a root, and the facts of the request that the response depends on. */
import type { ServiceError } from '../../lib/errors/service-error.ts';
import type { PlatformError } from '../../lib/platform/admin-api/admin-answer.ts';
import type { Identity } from './identity.ts';
import type { Path } from './result-error.ts';

/**
 * `forbidden`: the object does not exist, or belongs to another customer. `unavailable`: the platform failed to return
 * the owner. `denied`: the store has not granted the access to the owner.
 */
export type Refusal = 'forbidden' | 'unavailable' | 'denied';

/** By how much an answer may still grow. */
export type AnswerBudget = {
  /** Notes so many characters of JSON. QUERY_TOO_COMPLEX if that is more than is left, then and ever after. */
  take(characters: number): void;
};

/** The outcome of a root that the platform has not simply answered. */
export type RootOutcome =
  | { readonly kind: 'refused'; readonly why: Refusal }
  /** The platform has no such object; its own words are for requests in which no customer acts. */
  | { readonly kind: 'absent'; readonly errors: readonly PlatformError[] }
  | { readonly kind: 'invalid'; readonly message: string }
  /** Its kind knows how it is answered. `isDenied`: nothing of it can be shown, for lack of access at the platform. */
  | { readonly kind: 'found'; readonly found: unknown; readonly isDenied?: boolean };

/** The request, as far as building its answer has to know it. */
export type AnswerContext = {
  readonly identity: Identity;
  /** Whether costs are shown, and what is missing in the store's grant. */
  readonly isMerchant: boolean;
  /** How much may still be put together here. */
  readonly budget: AnswerBudget;
  /** Whether something has been changed, so that the client has to get its answer. */
  readonly isAfterChange?: boolean;
};

/** An error of the platform, or of the service about a list that it builds, and its path in the client's response. */
export type PlacedError = { readonly error: PlatformError | ServiceError; readonly path: Path };

export type RootValue = { readonly value: unknown; readonly errors: readonly PlacedError[] };
