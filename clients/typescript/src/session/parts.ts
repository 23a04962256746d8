/** The dependencies that a session's use cases share. */
import type { OpenBrowser } from '../browser/open-browser.ts';
import type { Wire } from '../request/call-service.ts';
import type { Language } from '../request/language.ts';
import type { RetryPolicy } from '../request/retry.ts';
import type { Announcer } from './announce.ts';
import type { InTurn, Records, StoredSession } from './records.ts';
import type { Session } from './session.ts';

export type SessionParts = Wire &
  RetryPolicy &
  Pick<Announcer, 'announce'> & {
    readonly shop: string;
    readonly inTurn: InTurn;
    readonly openBrowser: OpenBrowser;
    readonly redirectUri?: string;
    readonly language?: Language;
  };

/** Converts a stored session to the session that an app displays. */
export function sessionOf(stored: StoredSession | null, endedByService = false): Session {
  return stored === null
    ? { status: 'signedOut', endedByService }
    : { status: 'signedIn', customerId: stored.customerId };
}

/**
 * Reads the stored session and announces it to all listeners.
 * @throws STORAGE when the storage fails.
 */
export async function announceStored({ announce }: Pick<SessionParts, 'announce'>, records: Records) {
  const stored = await records.session();
  const session = sessionOf(stored, stored === null && (await records.isEnded()));
  announce(session);
  return { stored, session };
}

/** Reads the stored session as apps see it, and announces it. */
export function readSession(parts: SessionParts): Promise<Session> {
  return parts.inTurn(async (records) => (await announceStored(parts, records)).session);
}
