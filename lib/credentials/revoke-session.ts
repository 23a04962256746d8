import type { AdminKeyId } from '../domain/tokens/admin-key.ts';
import type { Logger } from '../observability/logger.ts';
import {
  type SessionRef,
  type SignInsEndCause,
  toSessionRecord,
} from '../storage/sessions/session-record.ts';
import type { Sessions } from '../storage/sessions/sessions.ts';
import type { SignIns } from '../storage/sessions/sign-ins.ts';

export type RevokeSessionDeps = {
  readonly sessions: Pick<Sessions, 'revoke' | 'find'>;
  readonly signIns: Pick<SignIns, 'removeSeed'>;
  readonly logger: Pick<Logger, 'info'>;
  readonly now: () => number;
};
type SessionRevocation = SignInsEndCause & {
  /** If set, the session is ended only while this lease of the platform link is valid. */
  readonly leaseId?: string;
  /** The admin key with which the session was revoked, if a merchant's server did it. */
  readonly keyId?: AdminKeyId;
};

/**
 * Ends a session: a tombstone without sealed tokens and label remains, and the sign-in loses its seed. Every
 * revocation is logged, because restoring the table replays these lines.
 * @returns false when the lease was lost and the session is still active
 */
export async function revokeSession(
  { sessions, signIns, logger, now }: RevokeSessionDeps,
  ref: SessionRef,
  { keyId, bySessionId, ...revocation }: SessionRevocation,
): Promise<boolean> {
  const writeResult = await sessions.revoke(ref, { ...revocation, nowMs: now() });
  // A write whose response was lost may look refused; a redundant log line does no harm.
  const session =
    writeResult.outcome === 'done' ? toSessionRecord(writeResult.item) : await sessions.find(ref);
  if (session?.status !== 'revoked') return false;
  const { shopId, customerId, sessionId } = ref;
  const { reason } = revocation;
  logger.info('session.revoked', { shopId, customerId, sessionId, reason, keyId, bySessionId });
  if (session.signIn !== undefined) await signIns.removeSeed(session.signIn);
  return true;
}
