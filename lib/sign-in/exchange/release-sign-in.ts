import { ServiceError } from '../../errors/service-error.ts';
import type { SignInDeps } from '../sign-in-deps.ts';
import type { SignInLease } from './claim-sign-in.ts';
import { signInUnfinished } from './sign-in-unfinished.ts';

type How = 'release' | 'reopen';

/** Ends the lease early, so that the next attempt need not wait for it. If that fails, it expires. */
export async function releaseSignIn(
  { signIns, logger }: SignInDeps,
  leased: SignInLease,
  how: How,
): Promise<void> {
  try {
    await signIns[how](leased);
  } catch {
    logger.warn('sign_in.release_failed');
  }
}

/**
 * Marks the sign-in as failed, so that no code can complete it. Returns SIGN_IN_REJECTED, for this request and all
 * later ones; if the lease was lost in the meantime, the other exchange decides.
 */
export async function rejectSignIn(
  { signIns }: SignInDeps,
  leased: SignInLease,
  internal: string,
): Promise<ServiceError> {
  const written = await signIns.kill(leased);
  if (written.outcome === 'refused') return signInUnfinished(`the lease was lost: ${internal}`);
  return new ServiceError('SIGN_IN_REJECTED', { internal });
}
