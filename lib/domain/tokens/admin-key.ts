/**
 * Admin keys are `SVC_AT_` and 56 base62 characters, which contain the store's id, the key's id, 192 random bits and a
 * CRC32 checksum. So a mistyped key is rejected without reading the table, and a valid one shows which store and which
 * record it belongs to.
 */
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Brand } from '../brand.ts';
import { parseShopId, type ShopId } from '../shop-id.ts';
import { decodeBase62, encodeBase62 } from './base62.ts';

export type AdminKeyId = Brand<string, 'AdminKeyId'>;
/** The text of an admin key. It is a secret. */
export type AdminKeyText = Brand<string, 'AdminKeyText'>;
export type AdminKey = { readonly shopId: ShopId; readonly keyId: AdminKeyId; readonly text: AdminKeyText };

/** The form of admin keys, by which secret scanners find them. */
const ADMIN_KEY_PATTERN = /^SVC_AT_([0-9A-Za-z]{56})$/;

const ADMIN_KEY_PREFIX = 'SVC_AT_';
const ENCODED_KEY_LENGTH = 56;
const SHOP_ID_BYTES = 7;
const ADMIN_KEY_ID_BYTES = 6;
const ADMIN_KEY_SECRET_BYTES = 24;
const CHECKSUM_BYTES = 4;
const ADMIN_KEY_BODY_BYTES = SHOP_ID_BYTES + ADMIN_KEY_ID_BYTES + ADMIN_KEY_SECRET_BYTES;

/** Creates an admin key of a store. `random` returns the requested number of random bytes. */
export function createAdminKey(shopId: ShopId, random: (bytes: number) => Uint8Array): AdminKey {
  const keyBytes = Buffer.alloc(ADMIN_KEY_BODY_BYTES);
  keyBytes.writeBigUInt64BE(BigInt(shopId) << 8n);
  keyBytes.set(random(ADMIN_KEY_ID_BYTES + ADMIN_KEY_SECRET_BYTES), SHOP_ID_BYTES);
  const crc = Buffer.alloc(CHECKSUM_BYTES);
  crc.writeUInt32BE(crc32(keyBytes));
  const text = ADMIN_KEY_PREFIX + encodeBase62(Buffer.concat([keyBytes, crc]), ENCODED_KEY_LENGTH);
  return { shopId, keyId: adminKeyIdOf(keyBytes), text: text as AdminKeyText };
}

/**
 * Parses an admin key. Does not check whether the key is valid at the store.
 * @returns undefined when the text is not an admin key
 */
export function parseAdminKey(text: string): AdminKey | undefined {
  const encodedKey = ADMIN_KEY_PATTERN.exec(text)?.[1];
  const keyBytes = encodedKey && decodeBase62(encodedKey, ADMIN_KEY_BODY_BYTES + CHECKSUM_BYTES);
  if (!keyBytes) return undefined;
  const body = Buffer.from(keyBytes.subarray(0, ADMIN_KEY_BODY_BYTES));
  if (crc32(body) !== Buffer.from(keyBytes).readUInt32BE(ADMIN_KEY_BODY_BYTES)) return undefined;
  const shopId = parseShopId(Number(body.readBigUInt64BE() >> 8n));
  return shopId && { shopId, keyId: adminKeyIdOf(body), text: text as AdminKeyText };
}

/**
 * Whether the text has the form of an admin key. If it has and `parseAdminKey` fails, the checksum is wrong, so the
 * text was mistyped or cut.
 */
export function looksLikeAdminKey(text: string): boolean {
  return ADMIN_KEY_PATTERN.test(text);
}

/** Returns the SHA-256 hash of a key, base64url. The store's secret contains only this hash. */
export function hashAdminKey(text: AdminKeyText): string {
  return createHash('sha256').update(text).digest('base64url');
}

function adminKeyIdOf(body: Buffer): AdminKeyId {
  return `key_${body.subarray(SHOP_ID_BYTES, SHOP_ID_BYTES + ADMIN_KEY_ID_BYTES).toString('hex')}` as AdminKeyId;
}
