import { ServiceError } from '../../errors/service-error.ts';
import type { SignInDeps } from '../sign-in-deps.ts';
import type { ClaimedSignIn } from './claim-sign-in.ts';
import { signInUnfinishedError } from './sign-in-unfinished-error.ts';

type SignInReleaseMode = 'release' | 'reopen';

/** Releases the lease early, so that the next attempt need not wait. If this fails, the lease expires by itself. */
export async function releaseSignIn(
  { signIns, logger }: SignInDeps,
  leased: ClaimedSignIn,
  mode: SignInReleaseMode,
): Promise<void> {
  try {
    if (mode === 'release') await signIns.release(leased);
    else await signIns.reopen(leased);
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
  const writeResult = await signIns.markFailed(leased);
  if (writeResult.outcome === 'refused') return signInUnfinishedError(`the lease was lost: ${internal}`);
  return new ServiceError('SIGN_IN_REJECTED', { internal });
}
