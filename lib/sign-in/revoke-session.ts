import type { RevocationReason, SessionRef } from '../storage/session-record.ts';
import type { SignInDeps } from './sign-in-deps.ts';

type Revocation = {
  readonly reason: RevocationReason;
  /** Only while this lease of the platform link is held. */
  readonly leaseId?: string;
};

/**
 * Ends a session: a tombstone without sealed tokens and label is left. Every revocation is logged, whatever its
 * cause, as restoring the table replays these lines. False: the lease was lost, and the session is active.
 */
export async function revokeSession(
  { sessions, logger, now }: Pick<SignInDeps, 'sessions' | 'logger' | 'now'>,
  ref: SessionRef,
  revocation: Revocation,
): Promise<boolean> {
  const written = await sessions.revoke(ref, { ...revocation, nowMs: now() });
  // Refused is also what a write looks like whose answer was lost: one line too many does no harm.
  if (written.outcome === 'refused' && (await sessions.find(ref))?.status !== 'revoked') return false;
  const { shopId, customerId, sessionId } = ref;
  logger.info('session_revoked', { shopId, customerId, sessionId, reason: revocation.reason });
  return true;
}
