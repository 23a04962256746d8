/**
 * The claims that access tokens and refresh tokens contain: the session, and which pair of its tokens they belong to.
 */
import { type CustomerId, parseCustomerId } from '../customer-id.ts';
import { SESSION_ID_BYTES, SESSION_SALT_BYTES, type SessionId, type SessionSalt } from '../session-id.ts';
import { parseShopId, type ShopId } from '../shop-id.ts';

export type SessionClaims = {
  readonly shopId: ShopId;
  readonly customerId: CustomerId;
  readonly sessionId: SessionId;
  readonly salt: SessionSalt;
  /** The number of the session's token pair. It starts at 1 and rises with each rotation. */
  readonly generation: number;
  /**
   * The issue number: how often this pair was issued again. 0 at the rotation, one more for each late retry. The
   * encoding leaves out a 0.
   */
  readonly handOut: number;
};

const CUSTOMER_ID_OFFSET = 8;
const SESSION_ID_OFFSET = 16;
const SALT_OFFSET = SESSION_ID_OFFSET + SESSION_ID_BYTES;
const GENERATION_OFFSET = SALT_OFFSET + SESSION_SALT_BYTES;

/** The length of the claims in the body. The fields of the token's kind follow them, and then the issue number. */
export const SESSION_CLAIMS_BYTES = GENERATION_OFFSET + 4;
const ISSUE_NUMBER_BYTES = 4;

/**
 * Returns the two possible lengths of a token's body: without and with the issue number. `kindFieldBytes` is the length
 * of the fields of the token's kind.
 */
export function sessionTokenBodyLengths(kindFieldBytes: number): readonly number[] {
  return [SESSION_CLAIMS_BYTES + kindFieldBytes, SESSION_CLAIMS_BYTES + kindFieldBytes + ISSUE_NUMBER_BYTES];
}

/**
 * Encodes the claims as the body of a token. Leaves `kindFieldBytes` bytes free at SESSION_CLAIMS_BYTES for the fields
 * of the token's kind.
 */
export function encodeSessionClaims(claims: SessionClaims, kindFieldBytes: number): Buffer {
  const issueNumberOffset = SESSION_CLAIMS_BYTES + kindFieldBytes;
  const claimsBytes = Buffer.alloc(issueNumberOffset + (claims.handOut > 0 ? ISSUE_NUMBER_BYTES : 0));
  claimsBytes.writeBigUInt64BE(BigInt(claims.shopId));
  claimsBytes.writeBigUInt64BE(BigInt(claims.customerId), CUSTOMER_ID_OFFSET);
  claimsBytes.write(claims.sessionId, SESSION_ID_OFFSET, SESSION_ID_BYTES, 'base64url');
  claimsBytes.write(claims.salt, SALT_OFFSET, SESSION_SALT_BYTES, 'base64url');
  claimsBytes.writeUInt32BE(claims.generation, GENERATION_OFFSET);
  if (claims.handOut > 0) claimsBytes.writeUInt32BE(claims.handOut, issueNumberOffset);
  return claimsBytes;
}

/**
 * Decodes the claims in the body of a token.
 * @returns undefined when a claim is invalid, or an issue number of 0 was encoded
 */
export function decodeSessionClaims(body: Buffer, kindFieldBytes: number): SessionClaims | undefined {
  const shopId = parseShopId(Number(body.readBigUInt64BE()));
  const customerId = parseCustomerId(Number(body.readBigUInt64BE(CUSTOMER_ID_OFFSET)));
  const generation = body.readUInt32BE(GENERATION_OFFSET);
  const issueNumberOffset = SESSION_CLAIMS_BYTES + kindFieldBytes;
  const hasIssueNumber = body.length > issueNumberOffset;
  const handOut = hasIssueNumber ? body.readUInt32BE(issueNumberOffset) : 0;
  if (shopId === undefined || customerId === undefined || generation === 0) return undefined;
  if (hasIssueNumber && handOut === 0) return undefined;
  return {
    shopId,
    customerId,
    sessionId: body.toString('base64url', SESSION_ID_OFFSET, SALT_OFFSET) as SessionId,
    salt: body.toString('base64url', SALT_OFFSET, GENERATION_OFFSET) as SessionSalt,
    generation,
    handOut,
  };
}
