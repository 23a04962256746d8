/** What access and refresh tokens have in common: whose session, and which generation of its tokens. */
import { type CustomerId, parseCustomerId } from './customer-id.ts';
import { SESSION_ID_BYTES, SESSION_SALT_BYTES, type SessionId, type SessionSalt } from './session-id.ts';
import { parseShopId, type ShopId } from './shop-id.ts';

export type SessionClaims = {
  readonly shopId: ShopId;
  readonly customerId: CustomerId;
  readonly sessionId: SessionId;
  readonly salt: SessionSalt;
  /** Counts the pairs of a session, from 1. */
  readonly generation: number;
};

const CUSTOMER_AT = 8;
const SESSION_AT = 16;
const SALT_AT = SESSION_AT + SESSION_ID_BYTES;
const GENERATION_AT = SALT_AT + SESSION_SALT_BYTES;

/** Where a kind of token puts what is its own. */
export const SESSION_CLAIMS_BYTES = GENERATION_AT + 4;

/** Writes the claims to the first SESSION_CLAIMS_BYTES of a token's body. */
export function writeSessionClaims(claims: SessionClaims, body: Buffer): void {
  body.writeBigUInt64BE(BigInt(claims.shopId));
  body.writeBigUInt64BE(BigInt(claims.customerId), CUSTOMER_AT);
  body.write(claims.sessionId, SESSION_AT, SESSION_ID_BYTES, 'base64url');
  body.write(claims.salt, SALT_AT, SESSION_SALT_BYTES, 'base64url');
  body.writeUInt32BE(claims.generation, GENERATION_AT);
}

/** The claims in a token's body, or undefined if no session can have them. */
export function readSessionClaims(body: Buffer): SessionClaims | undefined {
  const shopId = parseShopId(Number(body.readBigUInt64BE()));
  const customerId = parseCustomerId(Number(body.readBigUInt64BE(CUSTOMER_AT)));
  const generation = body.readUInt32BE(GENERATION_AT);
  if (shopId === undefined || customerId === undefined || generation === 0) return undefined;
  return {
    shopId,
    customerId,
    sessionId: body.toString('base64url', SESSION_AT, SALT_AT) as SessionId,
    salt: body.toString('base64url', SALT_AT, GENERATION_AT) as SessionSalt,
    generation,
  };
}
