/** How long a session and its tokens live. Checked on every read: DynamoDB's TTL only cleans up. */
import { timingSafeEqual } from 'node:crypto';
import type { SessionSalt } from '../../domain/session-id.ts';
import type { StoreRecord } from '../stores.ts';
import type { SessionRecord } from './session-record.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

export const SESSION_IDLE_MS = 90 * DAY_MS;
export const SESSION_ABSOLUTE_MS = 365 * DAY_MS;
const TOMBSTONE_MS = 90 * DAY_MS;
const ACCESS_TOKEN_MS = 60 * MINUTE_MS;
const MIN_ACCESS_TOKEN_MS = 10 * MINUTE_MS;

type Expiries = Pick<SessionRecord, 'idleExpiresAtMs' | 'absoluteExpiresAtMs'>;

/** When the session's refresh tokens end, epoch milliseconds. */
export function endOfSession({ idleExpiresAtMs, absoluteExpiresAtMs }: Expiries): number {
  return Math.min(idleExpiresAtMs, absoluteExpiresAtMs);
}

/** When a session, dead or alive, counts as never having been, epoch milliseconds. */
export function absentFrom(expiries: Expiries): number {
  return endOfSession(expiries) + TOMBSTONE_MS;
}

/** DynamoDB's TTL of a session, epoch seconds. */
export function timeToLiveOf(expiries: Expiries): number {
  return Math.ceil(absentFrom(expiries) / 1000);
}

/** Active, not expired, and not from before the store was installed again. */
export function isSessionActive(session: SessionRecord, store: StoreRecord, nowMs: number): boolean {
  return (
    session.status === 'active' && nowMs < endOfSession(session) && session.createdAtMs >= store.installedAtMs
  );
}

/** Compares in constant time: the salt is what a forger with a leaked MAC key would have to find. */
export function hasSalt(session: SessionRecord, salt: SessionSalt): boolean {
  const [sessionSalt, givenSalt] = [Buffer.from(session.salt), Buffer.from(salt)];
  return sessionSalt.length === givenSalt.length && timingSafeEqual(sessionSalt, givenSalt);
}

/**
 * Expiry of the access token in an answer given at `nowMs`: the time of minting and as many hours as leave at
 * least 10 minutes, so an answer fetched again hours later is still of use; never past the session's last day.
 */
export function accessTokenExpiry(
  session: Pick<SessionRecord, 'mintedAtMs' | 'absoluteExpiresAtMs'>,
  nowMs: number,
): number {
  const needed = nowMs + MIN_ACCESS_TOKEN_MS - session.mintedAtMs;
  const hours = Math.max(1, Math.ceil(needed / ACCESS_TOKEN_MS));
  return Math.min(session.mintedAtMs + hours * ACCESS_TOKEN_MS, session.absoluteExpiresAtMs);
}
