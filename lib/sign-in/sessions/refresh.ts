/**
 * A refresh token becomes the next pair. Answers get lost, tabs refresh at the same time, tokens get stolen:
 * judge-generation.ts tells these apart, advance-session.ts does what it says in one conditional write.
 */
import { ServiceError } from '../../errors/service-error.ts';
import { isAlive } from '../../storage/sessions/session-life.ts';
import { crashPoint } from '../crash-point.ts';
import type { SignInDeps } from '../sign-in-deps.ts';
import { advanceSession } from './advance-session.ts';
import { findPresentedSession, type PresentedToken } from './find-presented-session.ts';
import { judgeGeneration } from './judge-generation.ts';
import { renewPlatformLink } from './renew-platform-link.ts';
import { makeTokenPair, type TokenPair } from './token-pair.ts';

/**
 * The session's pair after this token. SHOP_NOT_INSTALLED, TOKEN_NOT_FOUND, INVALID_REFRESH_TOKEN (revoked,
 * expired, replaced; or the platform has ended the sign-in), TEMPORARILY_UNAVAILABLE.
 */
export async function refresh(deps: SignInDeps, request: PresentedToken): Promise<TokenPair> {
  const presented = await findPresentedSession(deps, request);
  crashPoint('refresh.after-read');
  const { session, store, claims } = presented;
  const verdict = judgeGeneration(session, claims, deps.now());
  const goesOn = isAlive(session, store, deps.now()) && verdict.kind !== 'refuse' && verdict.kind !== 'reuse';
  // Beside the rotation, but awaited with it: on Lambda nothing runs after the answer.
  const link = goesOn ? renewPlatformLink(deps, session, store) : Promise.resolve('goes on' as const);
  const [advanced, platform] = await Promise.allSettled([advanceSession(deps, presented), link]);
  if (advanced.status === 'rejected') throw advanced.reason;
  if (platform.status === 'fulfilled' && platform.value === 'ended') {
    throw new ServiceError('INVALID_REFRESH_TOKEN', { internal: 'the platform ended the sign-in' });
  }
  const pair = await makeTokenPair(deps, advanced.value);
  if (pair === undefined)
    throw new ServiceError('INVALID_REFRESH_TOKEN', { internal: 'the key was removed' });
  crashPoint('refresh.before-answer');
  return pair;
}
