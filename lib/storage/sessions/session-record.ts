/**
 * The item of a session, its key, and its lifetime. Two repositories in this folder write it: sessions.ts for the
 * tokens, session-links.ts for the link to the platform's own sign-in. Every read checks the lifetime, because
 * DynamoDB's TTL only deletes old items.
 */

import { timingSafeEqual } from 'node:crypto';
import type { CustomerId } from '../../domain/customer-id.ts';
import type { SessionId, SessionSalt } from '../../domain/session-id.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import type { KeyId } from '../../domain/tokens/key-id.ts';
import type { NonceHash } from '../../domain/tokens/nonce.ts';
import type { StoreRecord } from '../stores.ts';
import type { Item, ItemKey, WithAllFields } from '../table.ts';

type ReplacedGeneration = {
  readonly generation: number;
  readonly atMs: number;
  /** The issue number of the generation's first used pair; 0 if absent. */
  readonly handOut?: number;
};
/** The reason of a revocation; `store`: a merchant's server, with its key. */
export type RevocationReason =
  | 'customer'
  | 'reuse'
  | 'code_reuse'
  | 'platform'
  | 'too_many'
  | 'operator'
  | 'store';

/**
 * State of the link to the platform's own sign-in. `settling`: usable again, but an abandoned earlier request may
 * still arrive at the platform; `none`: the platform issued no refresh token.
 */
type LinkState = 'ok' | 'busy' | 'uncertain' | 'settling' | 'dead' | 'none';

/** The platform's tokens of a session, and their state. */
export type PlatformLink = {
  readonly linkState: LinkState;
  /** The sealed tokens; absent from a tombstone and a revoked link. */
  readonly linkTokens?: string;
  /** The client id with which the tokens were requested. */
  readonly linkClientId: string;
  /** The Origin header with which the tokens were requested. Absent for an app. */
  readonly linkOrigin?: string;
  readonly linkStoredAtMs: number;
  /** When the platform's access token expires. */
  readonly linkExpiresAtMs: number;
  readonly linkLeaseId?: string;
  readonly linkLeaseUntilMs?: number;
};

export type SessionRecord = PlatformLink & {
  readonly shopId: ShopId;
  readonly customerId: CustomerId;
  readonly sessionId: SessionId;
  readonly salt: SessionSalt;
  /** The sign-in that created the session; absent in records of earlier versions. */
  readonly signIn?: NonceHash;
  readonly createdAtMs: number;
  readonly generation: number;
  /** Key and time with which this generation's pair was issued, so that it can be issued again. */
  readonly kid: KeyId;
  readonly mintedAtMs: number;
  /** The generations that were replaced, newest first, at most 4. */
  readonly replaced: readonly ReplacedGeneration[];
  /** The highest generation that was used, 0 for none. */
  readonly confirmedGeneration: number;
  /** The issue number of the pair that confirmed this generation; 0 if absent. */
  readonly confirmedHandOut?: number;
  readonly firstUsedAtMs?: number;
  readonly lateRepeatAtMs?: number;
  /** The number of late retries of this generation, which is the issue number of its pair. */
  readonly lateRepeats: number;
  /** The last generation of which two issues were used, and when that was detected. */
  readonly sharedGeneration?: number;
  readonly sharedAtMs?: number;
  /**
   * When this session has ended newer sign-ins in the last hour, epoch milliseconds, and how often it has done so in
   * total.
   */
  readonly turnsAtMs?: readonly number[];
  readonly turnCount?: number;
  readonly status: 'active' | 'revoked';
  readonly revokedReason?: RevocationReason;
  readonly revokedAtMs?: number;
  readonly idleExpiresAtMs: number;
  readonly absoluteExpiresAtMs: number;
  readonly deviceLabel?: string;
  /**
   * The numbers of the contracts that were in the app's last list of next orders, at most 25. A hint, never a proof.
   */
  readonly contractIds?: readonly string[];
  /** DynamoDB's TTL, epoch seconds. */
  readonly expiresAt: number;
};

/** The cause of ended sign-ins; `bySessionId`: the customer's own session, if it was one. */
export type SignInsEndCause = { readonly reason: RevocationReason; readonly bySessionId?: SessionId };

export type SessionRef = Pick<SessionRecord, 'shopId' | 'customerId' | 'sessionId'>;

/** The attributes that a rotation writes. */
export type SessionRotation = Pick<
  SessionRecord,
  'generation' | 'kid' | 'mintedAtMs' | 'replaced' | 'lateRepeats' | 'idleExpiresAtMs' | 'expiresAt'
>;

/** Partition of a customer's sessions. */
export function customerSessionsKey(shopId: ShopId, customerId: CustomerId): string {
  return `SESSIONS#${shopId}#${customerId}`;
}

/** Key of the record that a customer's sign-ins were ended: those that started until its time. */
export function signInsEndedKey(shopId: ShopId, customerId: CustomerId): ItemKey {
  return { pk: customerSessionsKey(shopId, customerId), sk: 'ENDED' };
}

/** Key of a session's item. */
export function sessionKey({ shopId, customerId, sessionId }: SessionRef): ItemKey {
  return { pk: customerSessionsKey(shopId, customerId), sk: `SESSION#${sessionId}` };
}

export type CustomerQuotaRef = Pick<SessionRef, 'shopId' | 'customerId'>;

/** The customer's use of its quota of the store's points, for all its sessions: customer-quota-repository.ts. */
export function customerQuotaKey({ shopId, customerId }: CustomerQuotaRef): ItemKey {
  return { pk: `SHARE#${shopId}#${customerId}`, sk: 'SHARE' };
}

/** Returns when the quota is free again, epoch milliseconds; 0 without a recorded use. */
export function quotaFreeAtMsOf(quotaItem: Item | undefined): number {
  return Number(quotaItem?.untilMs ?? 0);
}

/** The sealing context of a session's platform tokens. */
export function linkTokensSealContext(ref: SessionRef) {
  return { shopId: ref.shopId, ...sessionKey(ref), attribute: 'linkTokens' };
}

/** Converts an item to a record. Every request does this: naming each field costs less than a copy. */
export function toSessionRecord(item: Item | undefined): SessionRecord | undefined {
  if (item === undefined) return undefined;
  const session = item as unknown as SessionRecord;
  const sessionRecord: WithAllFields<SessionRecord> = {
    shopId: session.shopId,
    customerId: session.customerId,
    sessionId: session.sessionId,
    salt: session.salt,
    signIn: session.signIn,
    createdAtMs: session.createdAtMs,
    generation: session.generation,
    kid: session.kid,
    mintedAtMs: session.mintedAtMs,
    replaced: session.replaced,
    confirmedGeneration: session.confirmedGeneration,
    confirmedHandOut: session.confirmedHandOut,
    firstUsedAtMs: session.firstUsedAtMs,
    lateRepeatAtMs: session.lateRepeatAtMs,
    lateRepeats: session.lateRepeats,
    sharedGeneration: session.sharedGeneration,
    sharedAtMs: session.sharedAtMs,
    turnsAtMs: session.turnsAtMs,
    turnCount: session.turnCount,
    status: session.status,
    revokedReason: session.revokedReason,
    revokedAtMs: session.revokedAtMs,
    idleExpiresAtMs: session.idleExpiresAtMs,
    absoluteExpiresAtMs: session.absoluteExpiresAtMs,
    deviceLabel: session.deviceLabel,
    contractIds: session.contractIds,
    expiresAt: session.expiresAt,
    linkState: session.linkState,
    linkTokens: session.linkTokens,
    linkClientId: session.linkClientId,
    linkOrigin: session.linkOrigin ?? undefined,
    linkStoredAtMs: session.linkStoredAtMs,
    linkExpiresAtMs: session.linkExpiresAtMs,
    linkLeaseId: session.linkLeaseId,
    linkLeaseUntilMs: session.linkLeaseUntilMs,
  };
  return sessionRecord as SessionRecord;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

export const SESSION_IDLE_LIFETIME_MS = 90 * DAY_MS;
export const SESSION_MAX_LIFETIME_MS = 365 * DAY_MS;
const TOMBSTONE_LIFETIME_MS = 90 * DAY_MS;
const ACCESS_TOKEN_LIFETIME_MS = 60 * MINUTE_MS;
const MIN_ACCESS_TOKEN_LIFETIME_MS = 10 * MINUTE_MS;

type SessionExpiries = Pick<SessionRecord, 'idleExpiresAtMs' | 'absoluteExpiresAtMs'>;

/** Returns when the session's refresh tokens end, epoch milliseconds. */
export function refreshTokensExpireAtMs({ idleExpiresAtMs, absoluteExpiresAtMs }: SessionExpiries): number {
  return Math.min(idleExpiresAtMs, absoluteExpiresAtMs);
}

/** Returns when a session, active or not, counts as absent, epoch milliseconds. */
export function sessionAbsentFromMs(expiries: SessionExpiries): number {
  return refreshTokensExpireAtMs(expiries) + TOMBSTONE_LIFETIME_MS;
}

/** Returns DynamoDB's TTL of a session, epoch seconds. */
export function sessionTtlSeconds(expiries: SessionExpiries): number {
  return Math.ceil(sessionAbsentFromMs(expiries) / 1000);
}

/** Whether the session is active, not expired, and not older than the store's last installation. */
export function isSessionActive(session: SessionRecord, store: StoreRecord, nowMs: number): boolean {
  return (
    session.status === 'active' &&
    nowMs < refreshTokensExpireAtMs(session) &&
    session.createdAtMs >= store.installedAtMs
  );
}

/** Compares in constant time: a forger with a leaked MAC key would still need the salt. */
export function hasSessionSalt(session: SessionRecord, salt: SessionSalt): boolean {
  const [sessionSalt, givenSalt] = [Buffer.from(session.salt), Buffer.from(salt)];
  return sessionSalt.length === givenSalt.length && timingSafeEqual(sessionSalt, givenSalt);
}

/**
 * Returns the expiry of the access token in a response at `nowMs`: the time of minting plus the smallest number of
 * hours that leaves at least 10 minutes, so that a response that is sent again hours later still contains a valid
 * token. Never later than the session's absolute expiry.
 */
export function accessTokenExpiresAtMs(
  session: Pick<SessionRecord, 'mintedAtMs' | 'absoluteExpiresAtMs'>,
  nowMs: number,
): number {
  const neededLifetimeMs = nowMs + MIN_ACCESS_TOKEN_LIFETIME_MS - session.mintedAtMs;
  const hours = Math.max(1, Math.ceil(neededLifetimeMs / ACCESS_TOKEN_LIFETIME_MS));
  return Math.min(session.mintedAtMs + hours * ACCESS_TOKEN_LIFETIME_MS, session.absoluteExpiresAtMs);
}
