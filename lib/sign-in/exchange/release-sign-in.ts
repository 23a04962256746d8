import { ServiceError } from '../../errors/service-error.ts';
import type { SignInDeps } from '../sign-in-deps.ts';
import type { ClaimedSignIn } from './claim-sign-in.ts';
import { signInUnfinishedError } from './sign-in-unfinished-error.ts';

type SignInReleaseMode = 'release' | 'reopen';

/**
 * Releases the lease early, so that the next attempt need not wait. The mode `reopen` also deletes the platform's
 * stored response, so that the next attempt exchanges the code again. If the release fails, the lease expires by
 * itself.
 */
export async function releaseSignIn(
  { signIns, logger }: SignInDeps,
  claimedSignIn: ClaimedSignIn,
  mode: SignInReleaseMode,
): Promise<void> {
  try {
    if (mode === 'release') await signIns.release(claimedSignIn);
    else await signIns.reopen(claimedSignIn);
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
  claimedSignIn: ClaimedSignIn,
  internal: string,
): Promise<ServiceError> {
  const writeResult = await signIns.markFailed(claimedSignIn);
  if (writeResult.outcome === 'refused') return signInUnfinishedError(`the lease was lost: ${internal}`);
  return new ServiceError('SIGN_IN_REJECTED', { internal });
}
