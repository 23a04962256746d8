import { ServiceError } from '../../errors/service-error.ts';
import type { SignInDeps } from '../sign-in-deps.ts';
import type { ClaimedSignIn } from './claim-sign-in.ts';
import { signInUnfinishedError } from './sign-in-unfinished-error.ts';

type ReleaseMode = 'release' | 'reopen';

/** Releases the lease early, so that the next attempt need not wait. If this fails, the lease expires by itself. */
export async function releaseSignIn(
  { signIns, logger }: SignInDeps,
  leased: ClaimedSignIn,
  how: ReleaseMode,
): Promise<void> {
  try {
    await signIns[how](leased);
  } catch {
    logger.warn('sign_in.release_failed');
  }
}

/**
 * Marks the sign-in as failed for good, and returns SIGN_IN_REJECTED. If the lease was lost, another exchange decides,
 * so TEMPORARILY_UNAVAILABLE is returned.
 */
export async function markSignInRejected(
  { signIns }: SignInDeps,
  leased: ClaimedSignIn,
  internal: string,
): Promise<ServiceError> {
  const written = await signIns.markFailed(leased);
  if (written.outcome === 'refused') return signInUnfinishedError(`the lease was lost: ${internal}`);
  return new ServiceError('SIGN_IN_REJECTED', { internal });
}
