/**
 * Exchanges a refresh token for the next token pair (refresh token rotation). classify-generation.ts distinguishes lost
 * responses, concurrent refreshes and stolen tokens; advance-session.ts applies the result with one conditional write.
 */
import { ServiceError } from '../../errors/service-error.ts';
import { isSessionActive } from '../../storage/sessions/session-record.ts';
import { passCrashPoint } from '../crash-point.ts';
import type { SignInDeps } from '../sign-in-deps.ts';
import { advanceSessionForToken } from './advance-session.ts';
import { classifyTokenGeneration } from './classify-generation.ts';
import { findPresentedSession, type PresentedToken } from './find-presented-session.ts';
import { renewPlatformLink } from './renew-platform-link.ts';
import { computeTokenPair, type TokenPair } from './token-pair.ts';

/**
 * Returns the token pair that follows this token.
 * @throws SHOP_NOT_INSTALLED when the service is not installed on the store
 * @throws TOKEN_NOT_FOUND when nothing is stored for the customer
 * @throws INVALID_REFRESH_TOKEN when the token is revoked, expired or replaced, or the platform has ended the sign-in
 * @throws TEMPORARILY_UNAVAILABLE when the table cannot be used
 */
export async function refreshTokens(deps: SignInDeps, request: PresentedToken): Promise<TokenPair> {
  const presentedSession = await findPresentedSession(deps, request);
  passCrashPoint('refresh.after-read');
  const { session, store, claims } = presentedSession;
  const generationVerdict = classifyTokenGeneration(session, claims, deps.now());
  const isRefreshAllowed =
    isSessionActive(session, store, deps.now()) &&
    generationVerdict.kind !== 'refuse' &&
    generationVerdict.kind !== 'reuse';
  // The check at the platform runs at the same time as the rotation. Wait for both, because Lambda freezes the
  // container after the response.
  const linkRenewal = isRefreshAllowed
    ? renewPlatformLink(deps, session, store)
    : Promise.resolve('goes on' as const);
  const [advanceResult, linkResult] = await Promise.allSettled([
    advanceSessionForToken(deps, presentedSession),
    linkRenewal,
  ]);
  if (advanceResult.status === 'rejected') throw advanceResult.reason;
  if (linkResult.status === 'fulfilled' && linkResult.value === 'ended') {
    throw new ServiceError('INVALID_REFRESH_TOKEN', { internal: 'the platform ended the sign-in' });
  }
  const tokenPair = await computeTokenPair(deps, advanceResult.value);
  if (tokenPair === undefined)
    throw new ServiceError('INVALID_REFRESH_TOKEN', { internal: 'the key was removed' });
  passCrashPoint('refresh.before-answer');
  return tokenPair;
}
