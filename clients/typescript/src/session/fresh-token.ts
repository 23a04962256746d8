/**
 * An access token that is still good. One refresh at a time; the stored session is read again before and after it, so
 * that a newer one is used and a sign-out wins; and the new pair is stored before its first use.
 */

import { isServiceError, ServiceError } from '../errors/service-error.ts';
import { askOnce } from './ask-sign-in.ts';
import { readStored, type SessionParts, sessionOf } from './parts.ts';
import type { StoredSession } from './records.ts';
import { shareRuns } from './share-runs.ts';
import { isGood, toStoredSession } from './token-pair.ts';
import { waitForOtherTabs } from './wait-for-other-tabs.ts';

/** Throws SIGNED_OUT where nobody is signed in, and only there. */
export type FreshToken = (refused?: string) => Promise<string>;

export function createFreshToken(parts: SessionParts): FreshToken {
  const refreshOnce = shareRuns((refused: string | undefined) =>
    waitForOtherTabs(parts, () => refresh(parts, refused)),
  );
  const freshToken: FreshToken = async (refused) => {
    const stored = await readStoredSession(parts);
    if (isGood(stored, { nowMs: parts.environment.now(), refused })) return stored.accessToken;
    const token = await refreshOnce(refused);
    // Somebody else's refresh was begun for another refused token.
    return token === refused ? freshToken(refused) : token;
  };
  return freshToken;
}

async function refresh(parts: SessionParts, refused: string | undefined): Promise<string> {
  const { environment, inTurn, announce } = parts;
  const sent = await readStoredSession(parts);
  if (isGood(sent, { nowMs: environment.now(), refused })) return sent.accessToken;
  const next = await askForNext(parts, sent);
  return inTurn(async (records) => {
    const stored = await records.session();
    announce(sessionOf(stored));
    if (stored === null) throw new ServiceError('SIGNED_OUT');
    // Another tab, or another sign-in, was faster: what is stored is newer than what this answer is about.
    if (stored.refreshToken !== sent.refreshToken) return stored.accessToken;
    await records.write('session', next);
    if (next !== null) return next.accessToken;
    announce({ status: 'signedOut', endedByService: true });
    throw new ServiceError('SIGNED_OUT');
  });
}

/** Null: the service has ended the sign-in of this token. Everything else that goes wrong is thrown, and ends nothing. */
async function askForNext(parts: SessionParts, sent: StoredSession): Promise<StoredSession | null> {
  const { customerId, refreshToken, state } = sent;
  try {
    const answer = await askOnce(parts, { step: 'refresh', fields: { customerId, refreshToken } });
    return toStoredSession(answer, { state, nowMs: parts.environment.now() });
  } catch (error) {
    if (isServiceError(error, 'INVALID_REFRESH_TOKEN', 'TOKEN_NOT_FOUND')) return null;
    throw error;
  }
}

async function readStoredSession(parts: SessionParts): Promise<StoredSession> {
  const stored = await readStored(parts);
  if (stored === null) throw new ServiceError('SIGNED_OUT');
  return stored;
}
