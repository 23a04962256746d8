/** A customer's sessions as the API shows them, and how a store revokes one. */
import { type RevokeSessionDeps, revokeSession } from '../../credentials/revoke-session.ts';
import type { CustomerRef } from '../../storage/sessions/customer-sign-ins.ts';
import type { SessionRecord, SessionRef } from '../../storage/sessions/session-record.ts';
import { isSessionActive, sessionAbsentFromMs } from '../../storage/sessions/session-record.ts';
import type { Sessions } from '../../storage/sessions/sessions.ts';
import type { StoreRecord } from '../../storage/stores.ts';

type VisibleSessionsDeps = RevokeSessionDeps & { readonly sessions: Sessions };
/** Why a session is revoked, and by which admin key. */
type RevocationCause = Pick<Parameters<typeof revokeSession>[2], 'reason' | 'keyId'>;

/** Returns the customer's active sessions, newest first. Reads consistently. */
export async function readActiveSessions(
  { sessions, now }: Pick<VisibleSessionsDeps, 'now'> & { readonly sessions: Pick<Sessions, 'listOf'> },
  store: StoreRecord,
  customerId: CustomerRef['customerId'],
): Promise<SessionRecord[]> {
  const sessionList = await sessions.listOf(store.shopId, customerId);
  const nowMs = now();
  return sessionList
    .filter((session) => isSessionActive(session, store, nowMs))
    .sort((one, other) => other.createdAtMs - one.createdAtMs);
}

/**
 * Returns when the session was last refreshed, epoch milliseconds.
 * @returns undefined when its first token pair was never refreshed
 */
export function lastRefreshAtMs({
  generation,
  mintedAtMs,
  lateRepeatAtMs,
}: SessionRecord): number | undefined {
  const refreshTimesMs = [generation > 1 ? mintedAtMs : undefined, lateRepeatAtMs].filter(
    (atMs) => atMs !== undefined,
  );
  return refreshTimesMs.length === 0 ? undefined : Math.max(...refreshTimesMs);
}

/**
 * Revokes a session for the store. Revoking it again changes nothing.
 * @returns false when the session does not exist
 * @throws TEMPORARILY_UNAVAILABLE when the table cannot be used
 */
export async function revokeSessionForStore(
  deps: VisibleSessionsDeps,
  ref: SessionRef,
  revocationCause: RevocationCause,
): Promise<boolean> {
  const session = await deps.sessions.find(ref);
  if (session === undefined || deps.now() >= sessionAbsentFromMs(session)) return false;
  return session.status === 'revoked' || revokeSession(deps, ref, revocationCause);
}
