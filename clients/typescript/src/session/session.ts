/** What an app shows of a sign-in. Tokens stay inside the client. */
import type { ServiceError } from '../errors/service-error.ts';

export type Session =
  | { readonly status: 'signedIn'; readonly customerId: number }
  | {
      readonly status: 'signedOut';
      /** The service has ended the sign-in, so the app shows the sign-in without a word of an error. */
      readonly endedByService: boolean;
    }
  /** The storage does not tell, for example on a locked device. Nobody is signed out by it. */
  | { readonly status: 'unknown'; readonly error: ServiceError };

/** Who is called with each change; what it throws breaks nothing. */
export type SessionListener = (session: Session) => unknown;
