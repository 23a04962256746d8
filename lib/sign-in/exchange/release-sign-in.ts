import { ServiceError } from '../../errors/service-error.ts';
import type { SignInDeps } from '../sign-in-deps.ts';
import type { Held } from './claim-sign-in.ts';
import { signInUnfinished } from './sign-in-unfinished.ts';

type How = 'release' | 'reopen';

/** Ends the lease early, so that the next try need not wait for it. If that fails, it lapses by itself. */
export async function releaseSignIn({ signIns, logger }: SignInDeps, held: Held, how: How): Promise<void> {
  try {
    await signIns[how](held);
  } catch {
    logger.warn('a sign-in could not be released: its lease will lapse');
  }
}

/**
 * Marks the sign-in dead, so that no code will end it: SIGN_IN_REJECTED, now and whenever it is asked again. If the
 * claim was lost meanwhile, whoever has it decides.
 */
export async function rejectSignIn(
  { signIns }: SignInDeps,
  held: Held,
  internal: string,
): Promise<ServiceError> {
  const written = await signIns.kill(held);
  if (written.outcome === 'refused') return signInUnfinished(`the lease was lost: ${internal}`);
  return new ServiceError('SIGN_IN_REJECTED', { internal });
}
