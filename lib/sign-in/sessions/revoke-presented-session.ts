/**
 * Revokes a session at the customer's request (sign-out). Also ends the sign-in at the platform if the platform
 * responds in time.
 */

import { revokeSession } from '../../credentials/revoke-session.ts';
import type { SessionRecord } from '../../storage/sessions/session-record.ts';
import type { StoreRecord } from '../../storage/stores.ts';
import { passCrashPoint } from '../crash-point.ts';
import type { SignInDeps } from '../sign-in-deps.ts';
import { findPresentedSession, type PresentedToken } from './find-presented-session.ts';
import { openLinkTokens } from './link-tokens.ts';

const LOGOUT_TIMEOUT_MS = 1_000;

/**
 * Revokes the session of the token, whatever its generation, even if the session has expired. Can be repeated.
 * @throws SHOP_NOT_INSTALLED when the service is not installed on the store
 * @throws TOKEN_NOT_FOUND when nothing is stored for the customer
 * @throws INVALID_REFRESH_TOKEN when the token's session is not stored
 * @throws TEMPORARILY_UNAVAILABLE when the table cannot be used
 */
export async function revokePresentedSession(
  deps: SignInDeps,
  request: PresentedToken,
): Promise<{ revoked: true }> {
  const { session, store } = await findPresentedSession(deps, request);
  await revokeSession(deps, session, { reason: 'customer' });
  passCrashPoint('revoke.after-tombstone');
  await logOutAtPlatform(deps, session, store);
  return { revoked: true };
}

/** Tries to end the sign-in at the platform. A failure does not change the response. */
async function logOutAtPlatform(
  { tokenKeys, platform, logger }: SignInDeps,
  session: SessionRecord,
  { signIn }: StoreRecord,
): Promise<void> {
  try {
    const tokens = await openLinkTokens(tokenKeys, session);
    if (tokens !== undefined) await platform.logOut(signIn, tokens.idToken, LOGOUT_TIMEOUT_MS);
  } catch (error) {
    logger.warn('platform_session.logout_failed', { reason: String(error) });
  }
}
