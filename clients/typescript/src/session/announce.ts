/** Notifies listeners of the session: outside the storage's lock, without waiting for them, and once per change. */
import type { Session, SessionListener } from './session.ts';

export type Announcer = {
  /** Notifies all listeners whose last session differs. */
  readonly announce: (session: Session) => void;
  /** Calls the listener with the session, then with each change, until the returned function is called. */
  readonly listen: (listener: SessionListener, session: Session) => () => void;
};

type SessionSubscription = {
  readonly listener: SessionListener;
  /** The fingerprint of the session of which the listener was notified last. */
  announced: string;
};

export function createAnnouncer(): Announcer {
  const sessionSubscriptions = new Set<SessionSubscription>();
  const notifyOne = (one: SessionSubscription, session: Session) => {
    const key = sessionFingerprint(session);
    if (key === one.announced) return;
    one.announced = key;
    // Asynchronous, so that a listener that signs out does not wait for itself.
    Promise.resolve()
      .then(() => one.listener(session))
      .catch(reportListenerError);
  };
  return {
    announce(session) {
      for (const one of sessionSubscriptions) notifyOne(one, session);
    },
    listen(listener, session) {
      const one = { listener, announced: '' };
      sessionSubscriptions.add(one);
      notifyOne(one, session);
      return () => void sessionSubscriptions.delete(one);
    },
  };
}

/** Returns the session's identity without the reason of a sign-out: only the change itself reports it. */
function sessionFingerprint(session: Session): string {
  return session.status === 'signedIn' ? `${session.customerId}` : session.status;
}

/** Reports the error where a browser shows uncaught errors. Elsewhere an uncaught error would end the process. */
function reportListenerError(error: unknown): void {
  (globalThis as { reportError?: (error: unknown) => void }).reportError?.(error);
}
