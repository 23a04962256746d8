/** The outcome of a root, and the facts of the request that the response depends on. */
import type { ServiceError } from '../../lib/errors/service-error.ts';
import type { PlatformError } from '../../lib/platform/admin-api/admin-response.ts';
import type { RequestIdentity } from './identity.ts';
import type { ResponsePath } from './result-error.ts';

/**
 * `forbidden`: the object does not exist, or belongs to another customer. `unavailable`: the platform failed to return
 * the owner. `denied`: the store has not granted the access to the owner.
 */
export type RootRefusal = 'forbidden' | 'unavailable' | 'denied';

/** The remaining size of the response. */
export type ResponseBudget = {
  /**
   * Counts characters of JSON.
   * @throws QUERY_TOO_COMPLEX when the budget is exceeded, at this call and all later ones
   */
  take(characters: number): void;
};

/** The outcome of a root for which the platform's response is not enough. */
export type RootOutcome =
  | { readonly kind: 'refused'; readonly refusal: RootRefusal }
  /** The platform has no such object. Its messages are shown only when no customer is acting. */
  | { readonly kind: 'absent'; readonly errors: readonly PlatformError[] }
  | { readonly kind: 'invalid'; readonly message: string }
  /** The root's kind builds the response. `isDenied`: the store has not granted the access for any part of it. */
  | { readonly kind: 'found'; readonly found: unknown; readonly isDenied?: boolean };

/** The properties of the request that decide how its response is built. */
export type ResponseContext = {
  readonly identity: RequestIdentity;
  /** Whether the response shows costs, and the access that the store has not granted. */
  readonly isMerchant: boolean;
  /** The remaining size of the response. */
  readonly budget: ResponseBudget;
  /** Whether a change was made, so that the client must get its response. */
  readonly isAfterChange?: boolean;
};

/** An error of the platform, or of the service about a list that it builds, and its path in the client's response. */
export type LocatedError = { readonly error: PlatformError | ServiceError; readonly path: ResponsePath };

export type RootValue = { readonly value: unknown; readonly errors: readonly LocatedError[] };
