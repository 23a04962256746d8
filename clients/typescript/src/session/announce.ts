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
  const notifyIfChanged = (subscription: SessionSubscription, session: Session) => {
    const fingerprint = sessionFingerprint(session);
    if (fingerprint === subscription.announced) return;
    subscription.announced = fingerprint;
    // Asynchronous, so that a listener that signs out does not wait for itself.
    Promise.resolve()
      .then(() => subscription.listener(session))
      .catch(reportListenerError);
  };
  return {
    announce(session) {
      for (const subscription of sessionSubscriptions) notifyIfChanged(subscription, session);
    },
    listen(listener, session) {
      const subscription = { listener, announced: '' };
      sessionSubscriptions.add(subscription);
      notifyIfChanged(subscription, session);
      return () => void sessionSubscriptions.delete(subscription);
    },
  };
}

/** Returns what makes a session differ for listeners. The reason of a sign-out alone is no difference. */
function sessionFingerprint(session: Session): string {
  return session.status === 'signedIn' ? `${session.customerId}` : session.status;
}

/** Reports the error where a browser shows uncaught errors. Elsewhere an uncaught error would end the process. */
function reportListenerError(error: unknown): void {
  (globalThis as { reportError?: (error: unknown) => void }).reportError?.(error);
}
