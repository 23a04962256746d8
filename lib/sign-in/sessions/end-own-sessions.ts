/**
 * A customer ends own sign-ins from one of them. A thief with copied tokens of one sign-in can do so, too. Therefore
 * a sign-in may end older ones at any time, but newer ones only rarely, so that the owner can sign in again and end
 * the thief's sign-in.
 */
import type { RevokeSessionDeps } from '../../credentials/revoke-session.ts';
import { revokeSession } from '../../credentials/revoke-session.ts';
import { settleAll } from '../../domain/settle-all.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { SessionRecord, SessionRef } from '../../storage/sessions/session-record.ts';
import { absentFrom } from '../../storage/sessions/session-record.ts';
import type { Sessions } from '../../storage/sessions/sessions.ts';
import type { StoreRecord } from '../../storage/stores.ts';
import { markCustomerEnded } from './customer-sessions.ts';
import { readLivingSessions } from './visible-sessions.ts';

type Deps = RevokeSessionDeps & { readonly sessions: Sessions };
/** The sign-in of the request, with the generation of its token. */
type ActingSession = SessionRef & { readonly generation: number };

/**
 * `replaced`: a newer token exists and must be used. `too_often`: the sign-in has used its three requests of an hour.
 */
export type SessionEndRefusal =
  | { readonly outcome: 'replaced' }
  | { readonly outcome: 'too_often'; readonly retryAtMs: number };
type Turn = { readonly outcome: 'taken' } | SessionEndRefusal;

/** How often in an hour a sign-in can end newer ones, or prevent those in progress. */
const TURNS = 3;
const TURN_MS = 3_600_000;
/** All concurrent requests beyond the allowed number lose their write; then none is left. */
const MAX_TRIES = TURNS + 2;

/**
 * Ends one sign-in of the acting customer; idempotent.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function endOwnSession(
  deps: Deps,
  acting: ActingSession,
  target: SessionRef,
): Promise<{ readonly outcome: 'done' } | { readonly outcome: 'unknown' } | SessionEndRefusal> {
  const { sessions, now } = deps;
  const [found, meant] = await settleAll([sessions.find(acting), sessions.find(target)]);
  if (meant === undefined || now() >= absentFrom(meant)) return { outcome: 'unknown' };
  const own = current(found, acting);
  if (own === undefined) return refused(deps, acting, { outcome: 'replaced' });
  if (meant.status === 'revoked') return { outcome: 'done' };
  if (meant.createdAtMs > own.createdAtMs) {
    const turn = await claimTurn(deps, acting, own);
    if (turn.outcome !== 'taken') return refused(deps, acting, turn);
  }
  await revokeSession(deps, meant, { reason: 'customer', bySessionId: acting.sessionId });
  return { outcome: 'done' };
}

/**
 * Ends the customer's other sessions, and those of sign-ins in progress; counts as one request. `count`: how many
 * were active.
 * @throws TEMPORARILY_UNAVAILABLE when some may be ended; a retry ends the rest
 */
export async function endOtherSessions(
  deps: Deps,
  store: StoreRecord,
  acting: ActingSession,
): Promise<{ readonly outcome: 'done'; readonly count: number } | SessionEndRefusal> {
  const { customerId, sessionId, shopId } = acting;
  const turn = await claimTurn(deps, acting, await deps.sessions.find(acting));
  if (turn.outcome !== 'taken') return refused(deps, acting, turn);
  const endedBy = { reason: 'customer', bySessionId: sessionId } as const;
  await markCustomerEnded(deps, acting, endedBy);
  const living = await readLivingSessions(deps, store, customerId);
  const others = living.filter((session) => session.sessionId !== sessionId);
  await settleAll(others.map((session) => revokeSession(deps, session, endedBy)));
  deps.logger.info('session.others_revoked', {
    shopId,
    customerId,
    bySessionId: sessionId,
    count: others.length,
  });
  return { outcome: 'done', count: others.length };
}

/** Counts the request with one write, on the condition that no other was counted since `found` was read. */
async function claimTurn(deps: Deps, acting: ActingSession, found: SessionRecord | undefined): Promise<Turn> {
  let session = current(found, acting);
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    if (session === undefined) return { outcome: 'replaced' };
    const nowMs = deps.now();
    const recent = (session.turnsAtMs ?? []).filter((atMs) => atMs > nowMs - TURN_MS);
    if (recent.length >= TURNS) return { outcome: 'too_often', retryAtMs: Math.min(...recent) + TURN_MS };
    const written = await deps.sessions.claimTurn(session, [...recent, nowMs]);
    if (written.outcome === 'done') return { outcome: 'taken' };
    session = current(await deps.sessions.find(acting), acting);
  }
  throw new ServiceError('TEMPORARILY_UNAVAILABLE', { internal: 'the session keeps changing' });
}

/** Returns the session, unless it has ended or a newer token was used: an older token is a copy, or late. */
function current(own: SessionRecord | undefined, { generation }: ActingSession): SessionRecord | undefined {
  return own?.status === 'active' && !(own.confirmedGeneration > generation) ? own : undefined;
}

function refused<Why extends SessionEndRefusal>(
  { logger }: Deps,
  { shopId, customerId, sessionId }: SessionRef,
  why: Why,
): Why {
  logger.info('session.revocation_refused', {
    shopId,
    customerId,
    bySessionId: sessionId,
    reason: why.outcome,
  });
  return why;
}
