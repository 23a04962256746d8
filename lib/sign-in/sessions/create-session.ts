/** Creates the session of a committed sign-in, at most once. Limits a customer to 20 active and 30 revoked sessions. */

import { revokeSession } from '../../credentials/revoke-session.ts';
import { awaitAll } from '../../domain/await-all.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import type { NonceHash } from '../../domain/tokens/nonce.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { SessionRecord } from '../../storage/sessions/session-record.ts';
import {
  refreshTokensExpireAtMs,
  SESSION_IDLE_LIFETIME_MS,
  SESSION_MAX_LIFETIME_MS,
  sessionTtlSeconds,
} from '../../storage/sessions/session-record.ts';
import type { SessionSeed } from '../../storage/sessions/sign-ins.ts';
import { passCrashPoint } from '../crash-point.ts';
import type { SignInDeps } from '../sign-in-deps.ts';

type CommittedSignIn = {
  readonly shopId: ShopId;
  readonly nonceHash: NonceHash;
  readonly startedAtMs: number;
  readonly seed: SessionSeed;
};

const MAX_ACTIVE_SESSIONS_PER_CUSTOMER = 20;
/**
 * The maximum number of revoked sessions that are kept per customer. A token of a deleted one is rejected in the same
 * way.
 */
const MAX_REVOKED_SESSIONS_PER_CUSTOMER = 30;

/**
 * Returns the new session, or the existing one if it is still in its first generation, so that a repeated exchange
 * returns the first token pair or none.
 * @throws INVALID_NONCE when the session was revoked or has rotated, when all of the customer's sessions were ended
 * since, or when the customer was erased since
 */
export async function createSession(deps: SignInDeps, signIn: CommittedSignIn): Promise<SessionRecord> {
  const session = toNewSessionRecord(signIn);
  if ((await deps.sessions.create(session)) === 'refused') {
    const existingSession = await deps.sessions.find(session);
    if (existingSession?.status !== 'active' || existingSession.generation !== 1)
      throw new ServiceError('INVALID_NONCE');
  }
  passCrashPoint('exchange.after-session-put');
  const [{ sessions, endedAtMs, endedBy }] = await awaitAll([
    deps.sessions.readAll(session.shopId, session.customerId),
    rejectErasedCustomerOrLiftErasure(deps, session, signIn),
  ]);
  // A request that ends all sessions first writes the record that is read here, and then revokes the existing sessions.
  // So either that request finds this session, or this read finds its record.
  if (signIn.startedAtMs <= endedAtMs) {
    await revokeSession(deps, session, endedBy);
    throw new ServiceError('INVALID_NONCE', {
      internal: 'the sign-ins of the customer were ended meanwhile',
    });
  }
  await removeExcessSessions(deps, sessions);
  return session;
}

/**
 * Checks whether the customer was erased. A sign-in that started before the erasure creates no session. One that
 * started later lifts the tombstone: the customer's new data may be stored.
 */
async function rejectErasedCustomerOrLiftErasure(
  deps: SignInDeps,
  session: SessionRecord,
  signIn: CommittedSignIn,
): Promise<void> {
  const tombstone = await deps.tombstones.find(await deps.tombstones.hashOf(session));
  if (tombstone === undefined) return;
  if (signIn.startedAtMs <= tombstone.erasedAtMs) {
    await deps.sessions.remove(session);
    await deps.signIns.removeSeed(signIn.nonceHash);
    throw new ServiceError('INVALID_NONCE', { internal: 'the customer was erased meanwhile' });
  }
  if (tombstone.liftedAtMs === undefined) await deps.tombstones.lift(tombstone, signIn.startedAtMs);
}

function toNewSessionRecord({ shopId, nonceHash, seed }: CommittedSignIn): SessionRecord {
  const sessionExpiry = {
    idleExpiresAtMs: seed.mintedAtMs + SESSION_IDLE_LIFETIME_MS,
    absoluteExpiresAtMs: seed.mintedAtMs + SESSION_MAX_LIFETIME_MS,
  };
  return {
    shopId,
    customerId: seed.customerId,
    sessionId: seed.sessionId,
    salt: seed.salt,
    signIn: nonceHash,
    createdAtMs: seed.mintedAtMs,
    generation: 1,
    kid: seed.kid,
    mintedAtMs: seed.mintedAtMs,
    replaced: [],
    confirmedGeneration: 0,
    lateRepeats: 0,
    status: 'active',
    ...sessionExpiry,
    ...(seed.deviceLabel !== undefined && { deviceLabel: seed.deviceLabel }),
    linkState: seed.linkTokens === undefined ? 'none' : 'ok',
    ...(seed.linkTokens !== undefined && { linkTokens: seed.linkTokens }),
    linkClientId: seed.clientId,
    ...(seed.origin !== undefined && { linkOrigin: seed.origin }),
    linkStoredAtMs: seed.linkStoredAtMs,
    linkExpiresAtMs: seed.linkExpiresAtMs,
    expiresAt: sessionTtlSeconds(sessionExpiry),
  };
}

/**
 * Revokes the sessions beyond 20 that were idle longest, and deletes old revoked ones. Concurrent sign-ins may leave
 * one too many, which the next sign-in revokes.
 */
async function removeExcessSessions(deps: SignInDeps, sessions: readonly SessionRecord[]): Promise<void> {
  const activeSessions = sessions.filter(
    (session) => session.status === 'active' && deps.now() < refreshTokensExpireAtMs(session),
  );
  const excessSessions = activeSessions
    .sort((a, b) => b.mintedAtMs - a.mintedAtMs)
    .slice(MAX_ACTIVE_SESSIONS_PER_CUSTOMER);
  const revokedSessions = sessions
    .filter(({ status }) => status === 'revoked')
    .sort((a, b) => (b.revokedAtMs ?? 0) - (a.revokedAtMs ?? 0));
  await awaitAll([
    ...excessSessions.map((session) => revokeSession(deps, session, { reason: 'too_many' })),
    ...revokedSessions
      .slice(MAX_REVOKED_SESSIONS_PER_CUSTOMER)
      .map((session) => deps.sessions.removeTombstone(session)),
  ]);
}
