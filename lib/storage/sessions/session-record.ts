/**
 * The item of a session, and its key. The repositories beside this file write it: sessions.ts the tokens'
 * side, session-links.ts the link to the platform's own sign-in.
 */
import type { CustomerId } from '../../domain/customer-id.ts';
import type { SessionId, SessionSalt } from '../../domain/session-id.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import type { KeyId } from '../../domain/tokens/key-id.ts';
import type { NonceHash } from '../../domain/tokens/nonce.ts';
import type { Item, ItemKey, Named } from '../table.ts';

type Replacement = {
  readonly generation: number;
  readonly atMs: number;
  /** The hand-out of the generation that was used first; absent: 0. */
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
 * State of the link to the platform's own sign-in. `settling`: well again, but a request given up earlier may yet
 * arrive at the platform; `none`: the platform gave no refresh token.
 */
type LinkState = 'ok' | 'busy' | 'uncertain' | 'settling' | 'dead' | 'none';

/** The platform's tokens of a session, and how they stand. */
export type PlatformLink = {
  readonly linkState: LinkState;
  /** The sealed tokens; absent from a tombstone and a dead link. */
  readonly linkTokens?: string;
  /** The client id that the tokens were asked with. */
  readonly linkClientId: string;
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
  /** The sign-in that it came from; absent: from before this was noted. */
  readonly signIn?: NonceHash;
  readonly createdAtMs: number;
  readonly generation: number;
  /** Key and time that this generation's pair was made with, so that it can be made again. */
  readonly kid: KeyId;
  readonly mintedAtMs: number;
  /** Newest first, at most 4. */
  readonly replaced: readonly Replacement[];
  /** The highest generation that was used, 0 for none. */
  readonly confirmedGeneration: number;
  /** The hand-out that confirmed it; absent: 0. */
  readonly confirmedHandOut?: number;
  readonly firstUsedAtMs?: number;
  readonly lateRepeatAtMs?: number;
  /** Late repeats of this generation; its pair is given out with this number. */
  readonly lateRepeats: number;
  /** The last generation of which two hand-outs were used, and when that was seen. */
  readonly sharedGeneration?: number;
  readonly sharedAtMs?: number;
  /** When it ended newer sign-ins in the last hour, and how often it ever did. */
  readonly turnsAtMs?: readonly number[];
  readonly turnCount?: number;
  readonly status: 'active' | 'revoked';
  readonly revokedReason?: RevocationReason;
  readonly revokedAtMs?: number;
  readonly idleExpiresAtMs: number;
  readonly absoluteExpiresAtMs: number;
  readonly deviceLabel?: string;
  /** DynamoDB's TTL, epoch seconds. */
  readonly expiresAt: number;
};

/** Who ended sign-ins; `bySessionId`: the customer's own sign-in that did. */
export type EndedBy = { readonly reason: RevocationReason; readonly bySessionId?: SessionId };

export type SessionRef = Pick<SessionRecord, 'shopId' | 'customerId' | 'sessionId'>;

/** The attributes that a rotation writes. */
export type Rotation = Pick<
  SessionRecord,
  'generation' | 'kid' | 'mintedAtMs' | 'replaced' | 'lateRepeats' | 'idleExpiresAtMs' | 'expiresAt'
>;

/** Partition of a customer's sessions. */
export function customerSessionsKey(shopId: ShopId, customerId: CustomerId): string {
  return `SESSIONS#${shopId}#${customerId}`;
}

/** Key of the mark that a customer's sign-ins until a time are ended. */
export function endedMarkKey(shopId: ShopId, customerId: CustomerId): ItemKey {
  return { pk: customerSessionsKey(shopId, customerId), sk: 'ENDED' };
}

/** Key of a session's item. */
export function sessionKey({ shopId, customerId, sessionId }: SessionRef): ItemKey {
  return { pk: customerSessionsKey(shopId, customerId), sk: `SESSION#${sessionId}` };
}

export type ShareRef = Pick<SessionRef, 'shopId' | 'customerId'>;

/** What the customer owes of its share in the store's points, of all sessions together: customer-shares.ts. */
export function shareKey({ shopId, customerId }: ShareRef): ItemKey {
  return { pk: `SHARE#${shopId}#${customerId}`, sk: 'SHARE' };
}

/** When nothing is owed any more, epoch milliseconds; 0: nothing is known to be owed. */
export function owedUntilOf(share: Item | undefined): number {
  return Number(share?.untilMs ?? 0);
}

/** The place that a session's platform tokens are sealed for. */
export function linkTokensPlace(ref: SessionRef) {
  return { shopId: ref.shopId, ...sessionKey(ref), attribute: 'linkTokens' };
}

/** The record of an item. Every request has one: its fields are named one by one, which costs less than a copy. */
export function toSession(item: Item | undefined): SessionRecord | undefined {
  if (item === undefined) return undefined;
  const session = item as unknown as SessionRecord;
  const record: Named<SessionRecord> = {
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
    expiresAt: session.expiresAt,
    linkState: session.linkState,
    linkTokens: session.linkTokens,
    linkClientId: session.linkClientId,
    linkStoredAtMs: session.linkStoredAtMs,
    linkExpiresAtMs: session.linkExpiresAtMs,
    linkLeaseId: session.linkLeaseId,
    linkLeaseUntilMs: session.linkLeaseUntilMs,
  };
  return record as SessionRecord;
}
