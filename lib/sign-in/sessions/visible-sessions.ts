/** A customer's sign-ins for the API and for a store's key: active ones, and those that were ended recently. */
import { type RevokeSessionDeps, revokeSession } from '../../credentials/revoke-session.ts';
import type { CustomerRef } from '../../storage/sessions/customer-sign-ins.ts';
import type { SessionRecord, SessionRef } from '../../storage/sessions/session-record.ts';
import { absentFrom, isSessionActive } from '../../storage/sessions/session-record.ts';
import type { Sessions } from '../../storage/sessions/sessions.ts';
import type { StoreRecord } from '../../storage/stores.ts';

type VisibleSessionsDeps = RevokeSessionDeps & { readonly sessions: Sessions };
/** The cause of an ended sign-in. */
type EndedBy = Pick<Parameters<typeof revokeSession>[2], 'reason' | 'keyId'>;

/** Lists the active sessions, the newest first; one consistent read. */
export async function readLivingSessions(
  { sessions, now }: Pick<VisibleSessionsDeps, 'now'> & { readonly sessions: Pick<Sessions, 'listOf'> },
  store: StoreRecord,
  customerId: CustomerRef['customerId'],
): Promise<SessionRecord[]> {
  const found = await sessions.listOf(store.shopId, customerId);
  const nowMs = now();
  return found
    .filter((session) => isSessionActive(session, store, nowMs))
    .sort((one, other) => other.createdAtMs - one.createdAtMs);
}

/**
 * Returns the last refresh, epoch milliseconds.
 * @returns undefined when the sign-in's first pair was never exchanged
 */
export function lastRefreshOf({ generation, mintedAtMs, lateRepeatAtMs }: SessionRecord): number | undefined {
  const times = [generation > 1 ? mintedAtMs : undefined, lateRepeatAtMs].filter((at) => at !== undefined);
  return times.length === 0 ? undefined : Math.max(...times);
}

/**
 * Ends a session for the store; idempotent.
 * @returns false when it does not exist
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function endSession(
  deps: VisibleSessionsDeps,
  ref: SessionRef,
  endedBy: EndedBy,
): Promise<boolean> {
  const session = await deps.sessions.find(ref);
  if (session === undefined || deps.now() >= absentFrom(session)) return false;
  return session.status === 'revoked' || revokeSession(deps, ref, endedBy);
}
