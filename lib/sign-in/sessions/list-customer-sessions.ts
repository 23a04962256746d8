/** Lists and revokes a customer's sessions, for operators. */

import { revokeSession } from '../../credentials/revoke-session.ts';
import type { CustomerId } from '../../domain/customer-id.ts';
import { parseDeviceLabel } from '../../domain/device-label.ts';
import type { SessionId } from '../../domain/session-id.ts';
import { StoreChangeRefused } from '../../errors/store-change-refused.ts';
import type { Logger } from '../../observability/logger.ts';
import type { CustomerRef } from '../../storage/sessions/customer-sign-ins.ts';
import type { SessionRecord, SignInsEndCause } from '../../storage/sessions/session-record.ts';
import { isSessionActive, refreshTokensExpireAtMs } from '../../storage/sessions/session-record.ts';
import type { Sessions } from '../../storage/sessions/sessions.ts';
import type { SignIns } from '../../storage/sessions/sign-ins.ts';
import type { StoreRecord } from '../../storage/stores.ts';

type CustomerSessionsDeps = {
  readonly sessions: Sessions;
  readonly signIns: SignIns;
  readonly logger: Logger;
  readonly now: () => number;
};
type CustomerOfStoreRecord = { readonly store: StoreRecord; readonly customerId: CustomerId };
type ListedSession = {
  readonly id: SessionId;
  readonly state: 'active' | 'revoked' | 'ended';
  readonly device: string | undefined;
  readonly createdAtMs: number;
  /** When the session's tokens were last renewed or first used, epoch milliseconds. */
  readonly lastUsedAtMs: number;
  readonly endsAtMs: number;
  readonly revokedReason: string | undefined;
};

/** Returns the customer's sessions, newest first. */
export async function listCustomerSessions(
  { sessions, now }: CustomerSessionsDeps,
  { store, customerId }: CustomerOfStoreRecord,
): Promise<ListedSession[]> {
  const sessionList = await sessions.listOf(store.shopId, customerId);
  return sessionList
    .map((session) => toListedSession(session, store, now()))
    .sort((a, b) => b.createdAtMs - a.createdAtMs);
}

/**
 * Revokes one session of a customer, or all active ones together with those of sign-ins in progress. The app then
 * requires a new sign-in. Returns the ids of the revoked sessions. Can be repeated.
 * @throws StoreChangeRefused when the customer has no such session
 */
export async function revokeCustomerSessions(
  deps: CustomerSessionsDeps,
  { store, customerId }: CustomerOfStoreRecord,
  targetSessionId: SessionId | 'all',
): Promise<SessionId[]> {
  const { shopId } = store;
  if (targetSessionId === 'all')
    await recordSignInsEnded(deps, { shopId, customerId }, { reason: 'operator' });
  const activeSessions = await findActiveSessions(deps, { store, customerId }, targetSessionId);
  for (const session of activeSessions) await revokeSession(deps, session, { reason: 'operator' });
  return activeSessions.map(({ sessionId }) => sessionId);
}

/**
 * Returns the ids of the sessions that `revokeCustomerSessions` would revoke. Writes nothing.
 * @throws StoreChangeRefused when the customer has no such session
 */
export async function previewRevocation(
  deps: Pick<CustomerSessionsDeps, 'sessions'>,
  customer: CustomerOfStoreRecord,
  targetSessionId: SessionId | 'all',
): Promise<SessionId[]> {
  return (await findActiveSessions(deps, customer, targetSessionId)).map(({ sessionId }) => sessionId);
}

async function findActiveSessions(
  { sessions }: Pick<CustomerSessionsDeps, 'sessions'>,
  { store, customerId }: CustomerOfStoreRecord,
  targetSessionId: SessionId | 'all',
): Promise<SessionRecord[]> {
  const sessionList = await sessions.listOf(store.shopId, customerId);
  const targetSessions = sessionList.filter(
    ({ sessionId }) => targetSessionId === 'all' || sessionId === targetSessionId,
  );
  if (targetSessionId !== 'all' && targetSessions.length === 0)
    throw new StoreChangeRefused(
      'This session was not found. List the sessions of the customer to see their IDs.',
      'ABSENT',
    );
  return targetSessions.filter(({ status }) => status === 'active');
}

/** Records that all sign-ins of the customer that started before now must not create a session. */
export async function recordSignInsEnded(
  { sessions, now }: Pick<CustomerSessionsDeps, 'sessions' | 'now'>,
  customer: CustomerRef,
  endedBy: SignInsEndCause,
): Promise<void> {
  const nowMs = now();
  await sessions.markSignInsEnded(customer, {
    nowMs,
    expiresAt: signInsEndRecordExpiresAtSeconds(nowMs),
    ...endedBy,
  });
}

/**
 * Returns when the record expires, epoch seconds. A sign-in cannot be completed later than 45 minutes after its start.
 */
function signInsEndRecordExpiresAtSeconds(nowMs: number): number {
  return Math.ceil(nowMs / 1000) + 2 * 60 * 60;
}

function toListedSession(session: SessionRecord, store: StoreRecord, nowMs: number): ListedSession {
  const isSessionUsable = isSessionActive(session, store, nowMs) && store.status === 'installed';
  return {
    id: session.sessionId,
    state: session.status === 'revoked' ? 'revoked' : isSessionUsable ? 'active' : 'ended',
    device: parseDeviceLabel(session.deviceLabel),
    createdAtMs: session.createdAtMs,
    lastUsedAtMs: Math.max(session.mintedAtMs, session.firstUsedAtMs ?? 0),
    endsAtMs: refreshTokensExpireAtMs(session),
    revokedReason: session.revokedReason,
  };
}
