/**
 * An access token that is still good. Two rules keep a customer signed in: the stored refresh token is read
 * under a lock just before it is used, and the new pair is stored before its first use.
 */
import { callService } from '../service/call-service.js';
import { hasCode, ServiceError } from '../service/service-error.js';
import { clearSession, readSession, storeSession } from './session-store.js';

/** Refreshed this long before the service would refuse the token. */
const MARGIN_MS = 2 * 60_000;
/** The service leaves a new token at least 10 minutes, so a phone whose clock is ahead still rests. */
const LEAST_LIFE_MS = 5 * 60_000;

/**
 * @param {{ refused?: string }} [reason] The access token that the service just refused.
 * @returns {Promise<string>} Throws SIGNED_OUT when the sign-in is over, and only then.
 */
export async function freshAccessToken({ refused } = {}) {
  const session = readSession();
  if (session !== undefined && isGood(session, refused)) return session.accessToken;
  // One at a time, in all tabs: a second refresh waits here and then finds the new pair.
  return await navigator.locks.request('session', () => refresh(refused));
}

/** @param {string | undefined} refused */
async function refresh(refused) {
  const session = readSession();
  if (session === undefined) throw signedOut();
  if (isGood(session, refused)) return session.accessToken;
  const { shop, customerId, refreshToken } = session;
  try {
    const answer = await callService({
      path: '/headless-auth/refresh',
      body: { shop, customerId, refreshToken },
    });
    return storeSession(shop, answer).accessToken;
  } catch (error) {
    // Only these two end a sign-in; whatever else happens, the pair is kept and tried again.
    if (!hasCode(error, 'INVALID_REFRESH_TOKEN') && !hasCode(error, 'TOKEN_NOT_FOUND')) throw error;
    clearSession({ ended: true });
    throw signedOut();
  }
}

/** @param {import('./session-store.js').Session} session @param {string | undefined} refused */
function isGood({ accessToken, expiresAt, receivedAtMs }, refused) {
  if (accessToken === refused) return false;
  const dueAtMs = Math.max(Date.parse(expiresAt) - MARGIN_MS, receivedAtMs + LEAST_LIFE_MS);
  return Date.now() < dueAtMs;
}

function signedOut() {
  return new ServiceError({ code: 'SIGNED_OUT', status: 401 });
}
