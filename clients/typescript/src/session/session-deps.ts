/** The dependencies that a session's use cases share. */
import type { OpenBrowser } from '../browser/open-browser.ts';
import type { ServiceConnection } from '../request/call-service.ts';
import type { Language } from '../request/language.ts';
import type { RetryPolicy } from '../request/retry.ts';
import type { Announcer } from './announce.ts';
import type { Records, StoredSession, WithRecords } from './records.ts';
import type { Session } from './session.ts';

export type SessionDeps = ServiceConnection &
  RetryPolicy &
  Pick<Announcer, 'announce'> & {
    readonly shop: string;
    readonly withRecords: WithRecords;
    readonly openBrowser: OpenBrowser;
    readonly redirectUri?: string;
    readonly language?: Language;
  };

/** Converts a stored session to the session that an app displays. */
export function toSession(stored: StoredSession | null, endedByService = false): Session {
  return stored === null
    ? { status: 'signedOut', endedByService }
    : { status: 'signedIn', customerId: stored.customerId };
}

/**
 * Reads the stored session and announces it to all listeners.
 * @throws STORAGE when the storage fails.
 */
export async function announceStoredSession({ announce }: Pick<SessionDeps, 'announce'>, records: Records) {
  const storedSession = await records.session();
  const session = toSession(storedSession, storedSession === null && (await records.isEnded()));
  announce(session);
  return { stored: storedSession, session };
}

/** Reads the stored session as apps see it, and notifies the listeners of the session. */
export function readSession(deps: SessionDeps): Promise<Session> {
  return deps.withRecords(async (records) => (await announceStoredSession(deps, records)).session);
}
