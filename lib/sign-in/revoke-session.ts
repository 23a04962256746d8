import type { Logger } from '../observability/logger.ts';
import type { RevocationReason, SessionRef } from '../storage/session-record.ts';
import type { Sessions } from '../storage/sessions.ts';

export type RevokeSessionDeps = {
  readonly sessions: Pick<Sessions, 'revoke' | 'find'>;
  readonly logger: Pick<Logger, 'info'>;
  readonly now: () => number;
};
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
  { sessions, logger, now }: RevokeSessionDeps,
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
