/**
 * Lets a customer revoke own sessions. A thief with the tokens of one session could use this, too. Therefore a session
 * may revoke older ones at any time, but newer ones only three times an hour, so that the owner can sign in again and
 * revoke the thief's session.
 */
import type { RevokeSessionDeps } from '../../credentials/revoke-session.ts';
import { revokeSession } from '../../credentials/revoke-session.ts';
import { awaitAll } from '../../domain/await-all.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { SessionRecord, SessionRef } from '../../storage/sessions/session-record.ts';
import { sessionAbsentFromMs } from '../../storage/sessions/session-record.ts';
import type { Sessions } from '../../storage/sessions/sessions.ts';
import type { StoreRecord } from '../../storage/stores.ts';
import { recordSignInsEnded } from './list-customer-sessions.ts';
import { readActiveSessions } from './visible-sessions.ts';

type Deps = RevokeSessionDeps & { readonly sessions: Sessions };
/** The session that sends the request, with the generation of its token. */
type ActingSession = SessionRef & { readonly generation: number };

/**
 * `replaced`: the session has a newer token, which must be used. `too_often`: the session has used its three requests
 * of this hour.
 */
export type RevocationRefusal =
  | { readonly outcome: 'replaced' }
  | { readonly outcome: 'too_often'; readonly retryAtMs: number };
type RevocationCountResult = { readonly outcome: 'taken' } | RevocationRefusal;

/** How often per hour a session can revoke newer ones, or end sign-ins in progress. */
const MAX_REVOCATIONS_PER_HOUR = 3;
const REVOCATION_WINDOW_MS = 3_600_000;
/**
 * How often the write of the count is tried. A try fails only when one of the other requests of this hour was first,
 * and their number is limited.
 */
const MAX_COUNT_ATTEMPTS = MAX_REVOCATIONS_PER_HOUR + 2;

/**
 * Revokes one session of the customer. Revoking it again changes nothing. Returns `unknown` when the session does not
 * exist.
 * @throws TEMPORARILY_UNAVAILABLE when the table cannot be used
 */
export async function endOwnSession(
  deps: Deps,
  actingRef: ActingSession,
  targetRef: SessionRef,
): Promise<{ readonly outcome: 'done' } | { readonly outcome: 'unknown' } | RevocationRefusal> {
  const { sessions, now } = deps;
  const [foundActingSession, targetSession] = await awaitAll([
    sessions.find(actingRef),
    sessions.find(targetRef),
  ]);
  if (targetSession === undefined || now() >= sessionAbsentFromMs(targetSession))
    return { outcome: 'unknown' };
  const actingSession = findCurrentSession(foundActingSession, actingRef);
  if (actingSession === undefined) return logRevocationRefusal(deps, actingRef, { outcome: 'replaced' });
  if (targetSession.status === 'revoked') return { outcome: 'done' };
  if (targetSession.createdAtMs > actingSession.createdAtMs) {
    const countResult = await countRevocation(deps, actingRef, actingSession);
    if (countResult.outcome !== 'taken') return logRevocationRefusal(deps, actingRef, countResult);
  }
  await revokeSession(deps, targetSession, { reason: 'customer', bySessionId: actingRef.sessionId });
  return { outcome: 'done' };
}

/**
 * Revokes all other sessions of the customer, and ends sign-ins in progress. Counts as one request. `count` is the
 * number of sessions that were active.
 * @throws TEMPORARILY_UNAVAILABLE when some may not be revoked; repeating the call revokes the others
 */
export async function endOtherSessions(
  deps: Deps,
  store: StoreRecord,
  actingRef: ActingSession,
): Promise<{ readonly outcome: 'done'; readonly count: number } | RevocationRefusal> {
  const { customerId, sessionId, shopId } = actingRef;
  const countResult = await countRevocation(deps, actingRef, await deps.sessions.find(actingRef));
  if (countResult.outcome !== 'taken') return logRevocationRefusal(deps, actingRef, countResult);
  const endedBy = { reason: 'customer', bySessionId: sessionId } as const;
  await recordSignInsEnded(deps, actingRef, endedBy);
  const activeSessions = await readActiveSessions(deps, store, customerId);
  const otherSessions = activeSessions.filter((session) => session.sessionId !== sessionId);
  await awaitAll(otherSessions.map((session) => revokeSession(deps, session, endedBy)));
  deps.logger.info('session.others_revoked', {
    shopId,
    customerId,
    bySessionId: sessionId,
    count: otherSessions.length,
  });
  return { outcome: 'done', count: otherSessions.length };
}

/** Counts the request with one write, on condition that no other request was counted since the session was read. */
async function countRevocation(
  deps: Deps,
  actingRef: ActingSession,
  storedSession: SessionRecord | undefined,
): Promise<RevocationCountResult> {
  let session = findCurrentSession(storedSession, actingRef);
  for (let attemptsMade = 0; attemptsMade < MAX_COUNT_ATTEMPTS; attemptsMade++) {
    if (session === undefined) return { outcome: 'replaced' };
    const nowMs = deps.now();
    const recentRevocationsAtMs = (session.turnsAtMs ?? []).filter(
      (atMs) => atMs > nowMs - REVOCATION_WINDOW_MS,
    );
    if (recentRevocationsAtMs.length >= MAX_REVOCATIONS_PER_HOUR)
      return { outcome: 'too_often', retryAtMs: Math.min(...recentRevocationsAtMs) + REVOCATION_WINDOW_MS };
    const countWrite = await deps.sessions.countRevocation(session, [...recentRevocationsAtMs, nowMs]);
    if (countWrite.outcome === 'done') return { outcome: 'taken' };
    session = findCurrentSession(await deps.sessions.find(actingRef), actingRef);
  }
  throw new ServiceError('TEMPORARILY_UNAVAILABLE', { internal: 'the session keeps changing' });
}

/**
 * Returns the session if it is active and no newer token of it was used.
 * @returns undefined otherwise: the presented token was copied, or arrived late
 */
function findCurrentSession(
  actingSession: SessionRecord | undefined,
  { generation }: ActingSession,
): SessionRecord | undefined {
  return actingSession?.status === 'active' && !(actingSession.confirmedGeneration > generation)
    ? actingSession
    : undefined;
}

function logRevocationRefusal<Refusal extends RevocationRefusal>(
  { logger }: Deps,
  { shopId, customerId, sessionId }: SessionRef,
  refusal: Refusal,
): Refusal {
  logger.info('session.revocation_refused', {
    shopId,
    customerId,
    bySessionId: sessionId,
    reason: refusal.outcome,
  });
  return refusal;
}
