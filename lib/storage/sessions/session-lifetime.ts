/** Lifetimes of sessions and tokens. Every read checks them: DynamoDB's TTL only deletes old items. */
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

/** Returns when the session's refresh tokens end, epoch milliseconds. */
export function endOfSession({ idleExpiresAtMs, absoluteExpiresAtMs }: Expiries): number {
  return Math.min(idleExpiresAtMs, absoluteExpiresAtMs);
}

/** Returns when a session, active or not, counts as absent, epoch milliseconds. */
export function absentFrom(expiries: Expiries): number {
  return endOfSession(expiries) + TOMBSTONE_MS;
}

/** Returns DynamoDB's TTL of a session, epoch seconds. */
export function timeToLiveOf(expiries: Expiries): number {
  return Math.ceil(absentFrom(expiries) / 1000);
}

/** Whether the session is active, not expired, and not older than the store's last installation. */
export function isSessionActive(session: SessionRecord, store: StoreRecord, nowMs: number): boolean {
  return (
    session.status === 'active' && nowMs < endOfSession(session) && session.createdAtMs >= store.installedAtMs
  );
}

/** Compares in constant time: a forger with a leaked MAC key would still need the salt. */
export function hasSalt(session: SessionRecord, salt: SessionSalt): boolean {
  const [sessionSalt, givenSalt] = [Buffer.from(session.salt), Buffer.from(salt)];
  return sessionSalt.length === givenSalt.length && timingSafeEqual(sessionSalt, givenSalt);
}

/**
 * Returns the expiry of the access token in an answer at `nowMs`: the time of minting plus the smallest number of
 * hours that leaves at least 10 minutes, so that an answer that is returned again hours later still contains a valid
 * token. Never later than the session's absolute expiry.
 */
export function accessTokenExpiry(
  session: Pick<SessionRecord, 'mintedAtMs' | 'absoluteExpiresAtMs'>,
  nowMs: number,
): number {
  const needed = nowMs + MIN_ACCESS_TOKEN_MS - session.mintedAtMs;
  const hours = Math.max(1, Math.ceil(needed / ACCESS_TOKEN_MS));
  return Math.min(session.mintedAtMs + hours * ACCESS_TOKEN_MS, session.absoluteExpiresAtMs);
}
