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
const ENCODED_LENGTH = 56;
const SHOP_BYTES = 7;
const ID_BYTES = 6;
const SECRET_BYTES = 24;
const CRC_BYTES = 4;
const BODY_BYTES = SHOP_BYTES + ID_BYTES + SECRET_BYTES;

/** Creates an admin key of a store. `random` returns the requested number of random bytes. */
export function createAdminKey(shopId: ShopId, random: (bytes: number) => Uint8Array): AdminKey {
  const body = Buffer.alloc(BODY_BYTES);
  body.writeBigUInt64BE(BigInt(shopId) << 8n);
  body.set(random(ID_BYTES + SECRET_BYTES), SHOP_BYTES);
  const crc = Buffer.alloc(CRC_BYTES);
  crc.writeUInt32BE(crc32(body));
  const text = ADMIN_KEY_PREFIX + encodeBase62(Buffer.concat([body, crc]), ENCODED_LENGTH);
  return { shopId, keyId: keyIdOf(body), text: text as AdminKeyText };
}

/**
 * Parses an admin key. Does not check whether the key is valid at the store.
 * @returns undefined when the text is not an admin key
 */
export function parseAdminKey(text: string): AdminKey | undefined {
  const encoded = ADMIN_KEY_PATTERN.exec(text)?.[1];
  const bytes = encoded && decodeBase62(encoded, BODY_BYTES + CRC_BYTES);
  if (!bytes) return undefined;
  const body = Buffer.from(bytes.subarray(0, BODY_BYTES));
  if (crc32(body) !== Buffer.from(bytes).readUInt32BE(BODY_BYTES)) return undefined;
  const shopId = parseShopId(Number(body.readBigUInt64BE() >> 8n));
  return shopId && { shopId, keyId: keyIdOf(body), text: text as AdminKeyText };
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

function keyIdOf(body: Buffer): AdminKeyId {
  return `key_${body.subarray(SHOP_BYTES, SHOP_BYTES + ID_BYTES).toString('hex')}` as AdminKeyId;
}
