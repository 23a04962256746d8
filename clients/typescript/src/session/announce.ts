/** Tells listeners who is signed in: outside the turn of the storage, never waited for, and each change once. */
import type { Session, SessionListener } from './session.ts';

export type Announcer = {
  /** Tells all who know another session. */
  readonly announce: (session: Session) => void;
  /** Tells the listener this session, then all changes. The result ends it. */
  readonly listen: (listener: SessionListener, session: Session) => () => void;
};

type Listening = { readonly listener: SessionListener; known: string };

export function createAnnouncer(): Announcer {
  const all = new Set<Listening>();
  const notify = (one: Listening, session: Session) => {
    const key = markOf(session);
    if (key === one.known) return;
    one.known = key;
    // Later than whoever announces: a listener that signs out does not wait for itself.
    Promise.resolve()
      .then(() => one.listener(session))
      .catch(report);
  };
  return {
    announce(session) {
      for (const one of all) notify(one, session);
    },
    listen(listener, session) {
      const one = { listener, known: '' };
      all.add(one);
      notify(one, session);
      return () => void all.delete(one);
    },
  };
}

/** Who ended a sign-in is told with the change alone. */
function markOf(session: Session): string {
  return session.status === 'signedIn' ? `${session.customerId}` : session.status;
}

/** Where a browser shows uncaught errors; nowhere else, because it would end a process. */
function report(error: unknown): void {
  (globalThis as { reportError?: (error: unknown) => void }).reportError?.(error);
}
