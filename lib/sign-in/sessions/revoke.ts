/** Ends a session at its customer's request, and the platform's sign-in with it, if the platform responds in time. */

import { revokeSession } from '../../credentials/revoke-session.ts';
import type { SessionRecord } from '../../storage/sessions/session-record.ts';
import type { StoreRecord } from '../../storage/stores.ts';
import { crashPoint } from '../crash-point.ts';
import type { SignInDeps } from '../sign-in-deps.ts';
import { findPresentedSession, type PresentedToken } from './find-presented-session.ts';
import { openLinkTokens } from './link-tokens.ts';

const LOGOUT_MS = 1_000;

/**
 * Accepts a token of any generation, also of an expired session; idempotent.
 * @throws SHOP_NOT_INSTALLED, TOKEN_NOT_FOUND, INVALID_REFRESH_TOKEN, TEMPORARILY_UNAVAILABLE
 */
export async function revoke(deps: SignInDeps, request: PresentedToken): Promise<{ revoked: true }> {
  const { session, store } = await findPresentedSession(deps, request);
  await revokeSession(deps, session, { reason: 'customer' });
  crashPoint('revoke.after-tombstone');
  await logOutAtPlatform(deps, session, store);
  return { revoked: true };
}

/** Tries to end the platform's sign-in; a failure does not affect the response. */
async function logOutAtPlatform(
  { tokenKeys, platform, logger }: SignInDeps,
  session: SessionRecord,
  { signIn }: StoreRecord,
): Promise<void> {
  try {
    const tokens = await openLinkTokens(tokenKeys, session);
    if (tokens !== undefined) await platform.logOut(signIn, tokens.idToken, LOGOUT_MS);
  } catch (error) {
    logger.warn('platform_session.logout_failed', { reason: String(error) });
  }
}
