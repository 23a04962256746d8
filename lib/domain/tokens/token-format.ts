/**
 * The common format of nonces, access tokens and refresh tokens: a prefix, then base64url of version, key id, body and
 * MAC (HMAC-SHA256, truncated to 128 bits: RFC 2104, section 5). The MAC covers the kind of token, so that a token is
 * never valid as another kind. The file of each kind defines its body.
 */
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { type KeyId, parseKeyId } from './key-id.ts';
import { decodeBase64Strictly } from './strict-base64.ts';

/** A token key for MACs, 32 bytes. */
export type TokenMacKey = { readonly kid: KeyId; readonly mac: Uint8Array };

type TokenLayout<T> = {
  readonly kind: 'access' | 'refresh' | 'nonce';
  readonly prefix: string;
  /** The lengths in bytes that a body can have. */
  readonly bodyBytes: readonly number[];
  readonly write: (value: T) => Buffer;
  /**
   * Decodes a body.
   * @returns undefined when it is invalid
   */
  readonly read: (body: Buffer) => T | undefined;
};

/** A parsed token. Do not trust its content before `verify`. */
type UnverifiedToken<T> = {
  readonly kid: KeyId;
  /**
   * Verifies the MAC and returns the content.
   * @returns undefined when the MAC does not match the key, the body and the bound value
   */
  readonly verify: (key: TokenMacKey, bound?: Uint8Array) => T | undefined;
};

type TokenFormat<T> = {
  /** Encodes a value. `bound` are further bytes that the MAC covers, but the token does not contain. */
  readonly encode: (value: T, key: TokenMacKey, bound?: Uint8Array) => string;
  /**
   * Parses a token strictly: only the text that `encode` would write for its bytes is accepted.
   * @returns undefined when the text is malformed
   */
  readonly parse: (text: string) => UnverifiedToken<T> | undefined;
};

const TOKEN_FORMAT_VERSION = 1;
const MAC_BYTES = 16;
const TOKEN_HEADER_BYTES = 2;

/** Creates the format of one kind of token. */
export function createTokenFormat<T>(layout: TokenLayout<T>): TokenFormat<T> {
  const { kind, prefix, bodyBytes } = layout;
  return {
    encode(value, key, bound) {
      const claimsBytes = layout.write(value);
      const signedBytes = Buffer.concat([
        Buffer.from([TOKEN_FORMAT_VERSION, key.kid.length]),
        Buffer.from(key.kid),
        claimsBytes,
      ]);
      return (
        prefix +
        Buffer.concat([signedBytes, computeTokenMac({ kind, key, signed: signedBytes, bound })]).toString(
          'base64url',
        )
      );
    },
    parse(text) {
      if (!text.startsWith(prefix)) return undefined;
      const tokenBytes = decodeBase64Strictly(text.slice(prefix.length), 'base64url');
      if (tokenBytes === undefined) return undefined;
      const kid = parseTokenKeyId(tokenBytes);
      if (kid === undefined) return undefined;
      if (!bodyBytes.includes(tokenBytes.length - TOKEN_HEADER_BYTES - kid.length - MAC_BYTES))
        return undefined;
      const signedBytes = tokenBytes.subarray(0, -MAC_BYTES);
      return {
        kid,
        verify(key, bound) {
          const mac = computeTokenMac({ kind, key, signed: signedBytes, bound });
          const good = key.kid === kid && timingSafeEqual(mac, tokenBytes.subarray(-MAC_BYTES));
          return good ? layout.read(signedBytes.subarray(TOKEN_HEADER_BYTES + kid.length)) : undefined;
        },
      };
    },
  };
}

function parseTokenKeyId(bytes: Buffer): KeyId | undefined {
  const [version, length = 0] = bytes;
  if (version !== TOKEN_FORMAT_VERSION) return undefined;
  return parseKeyId(bytes.toString('latin1', TOKEN_HEADER_BYTES, TOKEN_HEADER_BYTES + length));
}

type MacInput = { kind: string; key: TokenMacKey; signed: Uint8Array; bound: Uint8Array | undefined };

function computeTokenMac({ kind, key, signed, bound }: MacInput): Buffer {
  const hmac = createHmac('sha256', hmacKeyObjectOf(key.mac)).update(`${kind}\0`).update(signed);
  return hmac
    .update(bound ?? '')
    .digest()
    .subarray(0, MAC_BYTES);
}

const cachedHmacKeyObjects = new WeakMap<Uint8Array, KeyObject>();

/**
 * Returns the KeyObject of a MAC key and caches it. From bytes, Node would create one for each MAC, which takes five
 * times as long as the MAC itself.
 */
function hmacKeyObjectOf(mac: Uint8Array): KeyObject {
  const cachedKeyObject = cachedHmacKeyObjects.get(mac);
  if (cachedKeyObject !== undefined) return cachedKeyObject;
  const key = createSecretKey(mac);
  cachedHmacKeyObjects.set(mac, key);
  return key;
}
