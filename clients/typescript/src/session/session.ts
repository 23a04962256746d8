/** A sign-in as an app displays it. Tokens stay inside the client. */
import type { ServiceError } from '../errors/service-error.ts';

export type Session =
  | { readonly status: 'signedIn'; readonly customerId: number }
  | {
      readonly status: 'signedOut';
      /** Whether the service has ended the session. The app should show the sign-in without an error message. */
      readonly endedByService: boolean;
    }
  /** The storage cannot be read, for example on a locked device. The customer stays signed in. */
  | { readonly status: 'unknown'; readonly error: ServiceError };

/** A listener that receives each change. Its exceptions are ignored. */
export type SessionListener = (session: Session) => unknown;
