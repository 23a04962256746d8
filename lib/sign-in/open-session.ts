/** Puts the session of a committed sign-in into the table, once, and keeps a customer's sessions to 20. */
import type { ShopId } from '../domain/shop-id.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { SessionRecord } from '../storage/session-record.ts';
import type { SessionSeed } from '../storage/sign-ins.ts';
import { allEnded } from './all-ended.ts';
import { crashPoint } from './crash-point.ts';
import { revokeSession } from './revoke-session.ts';
import { endOf, SESSION_ABSOLUTE_MS, SESSION_IDLE_MS, timeToLiveOf } from './session-life.ts';
import type { SignInDeps } from './sign-in-deps.ts';

const MAX_SESSIONS = 20;

/**
 * The session of a seed in its first generation. INVALID_NONCE if it was there already and is revoked or has
 * gone on: a repeat gets the first pair or none.
 */
export async function openSession(
  deps: SignInDeps,
  shopId: ShopId,
  seed: SessionSeed,
): Promise<SessionRecord> {
  const session = toSession(shopId, seed);
  if ((await deps.sessions.create(session)) === 'refused') {
    const existing = await deps.sessions.find(session);
    if (existing?.status !== 'active' || existing.generation !== 1) throw new ServiceError('INVALID_NONCE');
  }
  crashPoint('exchange.after-session-put');
  await revokeExcess(deps, session);
  return session;
}

function toSession(shopId: ShopId, seed: SessionSeed): SessionRecord {
  const expiries = {
    idleExpiresAtMs: seed.mintedAtMs + SESSION_IDLE_MS,
    absoluteExpiresAtMs: seed.mintedAtMs + SESSION_ABSOLUTE_MS,
  };
  return {
    shopId,
    customerId: seed.customerId,
    sessionId: seed.sessionId,
    salt: seed.salt,
    createdAtMs: seed.mintedAtMs,
    generation: 1,
    kid: seed.kid,
    mintedAtMs: seed.mintedAtMs,
    replaced: [],
    confirmedGeneration: 0,
    lateRepeats: 0,
    status: 'active',
    ...expiries,
    deviceLabel: seed.deviceLabel,
    linkState: seed.linkTokens === undefined ? 'none' : 'ok',
    ...(seed.linkTokens !== undefined && { linkTokens: seed.linkTokens }),
    linkClientId: seed.clientId,
    linkStoredAtMs: seed.linkStoredAtMs,
    linkExpiresAtMs: seed.linkExpiresAtMs,
    expiresAt: timeToLiveOf(expiries),
  };
}

/** The longest idle above 20 go. Sign-ins at the same time may leave one more: the next mends it. */
async function revokeExcess(deps: SignInDeps, { shopId, customerId }: SessionRecord): Promise<void> {
  const sessions = await deps.sessions.listOf(shopId, customerId);
  const live = sessions.filter((one) => one.status === 'active' && deps.now() < endOf(one));
  const excess = live.sort((a, b) => b.mintedAtMs - a.mintedAtMs).slice(MAX_SESSIONS);
  await allEnded(excess.map((session) => revokeSession(deps, session, { reason: 'too_many' })));
}
