/**
 * Provides a valid access token. Runs one refresh at a time. Reads the stored session again before and after a refresh,
 * so that a newer session is used and a sign-out wins. Stores the new pair before its first use.
 */

import { isServiceError, ServiceError } from '../errors/service-error.ts';
import type { StoredSession } from './records.ts';
import { runWithTabLock } from './run-with-tab-lock.ts';
import { sendSignInOnce } from './send-sign-in.ts';
import { announceStoredSession, type SessionDeps, toSession } from './session-deps.ts';
import { shareConcurrentRuns } from './share-concurrent-runs.ts';
import { isAccessTokenUsable, toStoredSession } from './token-pair.ts';

/**
 * Returns a valid access token.
 * @throws SIGNED_OUT only when there is no session.
 */
export type GetValidToken = (refusedToken?: string) => Promise<string>;

export function createGetValidToken(deps: SessionDeps): GetValidToken {
  const refreshOnce = shareConcurrentRuns((refusedToken: string | undefined) =>
    runWithTabLock(deps, () => refreshToken(deps, refusedToken)),
  );
  const getUsableToken: GetValidToken = async (refusedToken) => {
    const storedSession = await readStoredSession(deps);
    if (isAccessTokenUsable(storedSession, { nowMs: deps.environment.now(), refused: refusedToken }))
      return storedSession.accessToken;
    const token = await refreshOnce(refusedToken);
    // The shared refresh was started for another rejected token.
    return token === refusedToken ? getUsableToken(refusedToken) : token;
  };
  return getUsableToken;
}

async function refreshToken(deps: SessionDeps, refusedToken: string | undefined): Promise<string> {
  const { environment, withRecords, announce } = deps;
  const sentSession = await readStoredSession(deps);
  if (isAccessTokenUsable(sentSession, { nowMs: environment.now(), refused: refusedToken }))
    return sentSession.accessToken;
  const nextSession = await requestNextTokens(deps, sentSession);
  return withRecords(async (records) => {
    const { stored } = await announceStoredSession(deps, records);
    if (stored === null) throw new ServiceError('SIGNED_OUT');
    // Another tab, or another sign-in, was faster: the stored session is newer than this response.
    if (stored.refreshToken !== sentSession.refreshToken) return stored.accessToken;
    if (nextSession !== null) {
      await records.write('session', nextSession);
      return nextSession.accessToken;
    }
    // A full storage must not preserve tokens that the service refuses.
    await records.write('session', { endedByService: true }).catch(() => records.write('session', null));
    announce(toSession(null, true));
    throw new ServiceError('SIGNED_OUT');
  });
}

/**
 * Requests the next token pair. Every error other than an ended session is thrown and keeps the session.
 * @returns null when the service has ended the token's session.
 */
async function requestNextTokens(
  deps: SessionDeps,
  sentSession: StoredSession,
): Promise<StoredSession | null> {
  const { customerId, refreshToken, state } = sentSession;
  try {
    const response = await sendSignInOnce(deps, { step: 'refresh', fields: { customerId, refreshToken } });
    return toStoredSession(response, { state, nowMs: deps.environment.now() });
  } catch (error) {
    if (isServiceError(error, 'INVALID_REFRESH_TOKEN', 'TOKEN_NOT_FOUND')) return null;
    throw error;
  }
}

async function readStoredSession(deps: SessionDeps): Promise<StoredSession> {
  const { stored } = await deps.withRecords((records) => announceStoredSession(deps, records));
  if (stored === null) throw new ServiceError('SIGNED_OUT');
  return stored;
}
