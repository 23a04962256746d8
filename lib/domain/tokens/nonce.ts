/**
 * The nonce of a sign-in. It identifies the sign-in, is bound to the code verifier without containing it, and can be
 * refused without I/O. Its hash is the key of the sign-in item; another hash is OpenID Connect's nonce, so no address
 * contains the nonce itself.
 */
import { createHash } from 'node:crypto';
import type { Brand } from '../brand.ts';
import { parseShopId, type ShopId } from '../shop-id.ts';
import { createTokenFormat } from './token-format.ts';

/** SHA-256 of a nonce, base64url: the key of a sign-in. */
export type NonceHash = Brand<string, 'NonceHash'>;

type Nonce = {
  /** 16 random bytes. */
  readonly random: Uint8Array;
  readonly startedAtMs: number;
  readonly shopId: ShopId;
};

export const NONCE_RANDOM_BYTES = 16;
const TIME_BYTES = 6;
const SHOP_AT = NONCE_RANDOM_BYTES + TIME_BYTES;
const BODY_BYTES = SHOP_AT + 8;

/** The format of nonces. A nonce is bound to the challenge (32 bytes) of its code verifier. */
export const nonceFormat = createTokenFormat<Nonce>({
  kind: 'nonce',
  prefix: '',
  bodyBytes: [BODY_BYTES],
  write(nonce) {
    const body = Buffer.alloc(BODY_BYTES);
    body.set(nonce.random);
    body.writeUIntBE(nonce.startedAtMs, NONCE_RANDOM_BYTES, TIME_BYTES);
    body.writeBigUInt64BE(BigInt(nonce.shopId), SHOP_AT);
    return body;
  },
  read(body) {
    const shopId = parseShopId(Number(body.readBigUInt64BE(SHOP_AT)));
    if (shopId === undefined) return undefined;
    const random = body.subarray(0, NONCE_RANDOM_BYTES);
    return { random, startedAtMs: body.readUIntBE(NONCE_RANDOM_BYTES, TIME_BYTES), shopId };
  },
});

/** Returns the hash that is the key of a nonce's sign-in in the table. */
export function hashNonce(text: string): NonceHash {
  return createHash('sha256').update(text).digest('base64url') as NonceHash;
}

/** Returns the nonce that the platform repeats in the id_token (OpenID Connect Core, section 3.1.2.1, `nonce`). */
export function toOpenIdNonce(text: string): string {
  return createHash('sha256').update('openid\0').update(text).digest('base64url');
}
