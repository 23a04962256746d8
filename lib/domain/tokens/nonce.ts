/**
 * The nonce of a sign-in. It identifies the sign-in, and its MAC covers the code challenge, so that an invalid nonce is
 * rejected without reading the table. Its hash is the key of the sign-in's item. The nonce in the OpenID Connect
 * request is another hash of it, so no URL contains the nonce itself.
 */
import { createHash } from 'node:crypto';
import type { Brand } from '../brand.ts';
import { parseShopId, type ShopId } from '../shop-id.ts';
import { createTokenFormat } from './token-format.ts';

/** The SHA-256 hash of a nonce, base64url. It is part of the key of the sign-in's item. */
export type NonceHash = Brand<string, 'NonceHash'>;

type Nonce = {
  /** 16 random bytes. */
  readonly random: Uint8Array;
  readonly startedAtMs: number;
  readonly shopId: ShopId;
};

export const NONCE_RANDOM_BYTES = 16;
const START_TIME_BYTES = 6;
const SHOP_ID_OFFSET = NONCE_RANDOM_BYTES + START_TIME_BYTES;
const NONCE_BODY_BYTES = SHOP_ID_OFFSET + 8;

/** The format of nonces. The MAC of a nonce also covers the code challenge (32 bytes). */
export const nonceFormat = createTokenFormat<Nonce>({
  kind: 'nonce',
  prefix: '',
  bodyLengths: [NONCE_BODY_BYTES],
  encodeBody(nonce) {
    const body = Buffer.alloc(NONCE_BODY_BYTES);
    body.set(nonce.random);
    body.writeUIntBE(nonce.startedAtMs, NONCE_RANDOM_BYTES, START_TIME_BYTES);
    body.writeBigUInt64BE(BigInt(nonce.shopId), SHOP_ID_OFFSET);
    return body;
  },
  decodeBody(body) {
    const shopId = parseShopId(Number(body.readBigUInt64BE(SHOP_ID_OFFSET)));
    if (shopId === undefined) return undefined;
    const random = body.subarray(0, NONCE_RANDOM_BYTES);
    return { random, startedAtMs: body.readUIntBE(NONCE_RANDOM_BYTES, START_TIME_BYTES), shopId };
  },
});

/** Returns the hash of a nonce for the key of the sign-in's item. */
export function hashSignInNonce(text: string): NonceHash {
  return createHash('sha256').update(text).digest('base64url') as NonceHash;
}

/**
 * Returns the value of the OpenID Connect parameter `nonce` (OpenID Connect Core, section 3.1.2.1). The platform
 * repeats it in the id token.
 */
export function toOpenIdNonce(text: string): string {
  return createHash('sha256').update('openid\0').update(text).digest('base64url');
}
