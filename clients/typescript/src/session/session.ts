/** The session that apps see. Tokens stay inside the client. */
import type { ServiceError } from '../errors/service-error.ts';

/** A sign-in as an app displays it. `status` is `unknown` when the storage cannot be read. */
export type Session =
  | {
      /** A customer is signed in. */
      readonly status: 'signedIn';
      /** The number at the end of the customer's global id. */
      readonly customerId: number;
    }
  | {
      /** No customer is signed in. */
      readonly status: 'signedOut';
      /** Whether the service has ended the session. The app should show the sign-in without an error message. */
      readonly endedByService: boolean;
    }
  | {
      /** The storage cannot be read, for example on a locked device. The customer stays signed in. */
      readonly status: 'unknown';
      /** The failure of the storage. */
      readonly error: ServiceError;
    };

/** A listener that receives each change. Its exceptions are ignored. */
export type SessionListener = (session: Session) => unknown;
