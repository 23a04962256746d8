/**
 * The common format of nonces, access tokens and refresh tokens: a prefix, then base64url of version, key id, body and
 * MAC (HMAC-SHA256, truncated to 128 bits: RFC 2104, section 5). The MAC covers the kind of token, so that a token is
 * never valid as another kind. The file of each kind defines its body.
 */
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { type KeyId, parseKeyId } from './key-id.ts';
import { decodeBase64Strictly } from './strict-base64.ts';

/** A token key for MACs, 32 bytes. */
export type TokenMacKey = { readonly kid: KeyId; readonly macKey: Uint8Array };

type TokenLayout<T> = {
  readonly kind: 'access' | 'refresh' | 'nonce';
  readonly prefix: string;
  /** The lengths in bytes that a body can have. */
  readonly bodyLengths: readonly number[];
  readonly encodeBody: (value: T) => Buffer;
  /**
   * Decodes a body.
   * @returns undefined when it is invalid
   */
  readonly decodeBody: (body: Buffer) => T | undefined;
};

/** A parsed token. Do not trust its content before `verify`. */
type UnverifiedToken<T> = {
  readonly kid: KeyId;
  /**
   * Verifies the MAC and returns the content.
   * @returns undefined when the MAC does not match the key, the body and `boundBytes`
   */
  readonly verify: (key: TokenMacKey, boundBytes?: Uint8Array) => T | undefined;
};

type TokenFormat<T> = {
  /** Encodes a value. `boundBytes` are additional bytes that the MAC covers, but the token does not contain. */
  readonly encode: (value: T, key: TokenMacKey, boundBytes?: Uint8Array) => string;
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
  const { kind, prefix, bodyLengths } = layout;
  return {
    encode(value, key, boundBytes) {
      const bodyBytes = layout.encodeBody(value);
      const signedBytes = Buffer.concat([
        Buffer.from([TOKEN_FORMAT_VERSION, key.kid.length]),
        Buffer.from(key.kid),
        bodyBytes,
      ]);
      return (
        prefix +
        Buffer.concat([
          signedBytes,
          computeTokenMac({ kind, key, signed: signedBytes, boundBytes }),
        ]).toString('base64url')
      );
    },
    parse(text) {
      if (!text.startsWith(prefix)) return undefined;
      const tokenBytes = decodeBase64Strictly(text.slice(prefix.length), 'base64url');
      if (tokenBytes === undefined) return undefined;
      const kid = parseTokenKeyId(tokenBytes);
      if (kid === undefined) return undefined;
      if (!bodyLengths.includes(tokenBytes.length - TOKEN_HEADER_BYTES - kid.length - MAC_BYTES))
        return undefined;
      const signedBytes = tokenBytes.subarray(0, -MAC_BYTES);
      return {
        kid,
        verify(key, boundBytes) {
          const mac = computeTokenMac({ kind, key, signed: signedBytes, boundBytes });
          const isMacValid = key.kid === kid && timingSafeEqual(mac, tokenBytes.subarray(-MAC_BYTES));
          return isMacValid
            ? layout.decodeBody(signedBytes.subarray(TOKEN_HEADER_BYTES + kid.length))
            : undefined;
        },
      };
    },
  };
}

function parseTokenKeyId(bytes: Buffer): KeyId | undefined {
  const [version, keyIdLength = 0] = bytes;
  if (version !== TOKEN_FORMAT_VERSION) return undefined;
  return parseKeyId(bytes.toString('latin1', TOKEN_HEADER_BYTES, TOKEN_HEADER_BYTES + keyIdLength));
}

type MacInput = { kind: string; key: TokenMacKey; signed: Uint8Array; boundBytes: Uint8Array | undefined };

function computeTokenMac({ kind, key, signed, boundBytes }: MacInput): Buffer {
  const hmac = createHmac('sha256', hmacKeyObjectOf(key.macKey)).update(`${kind}\0`).update(signed);
  return hmac
    .update(boundBytes ?? '')
    .digest()
    .subarray(0, MAC_BYTES);
}

const cachedHmacKeyObjects = new WeakMap<Uint8Array, KeyObject>();

/**
 * Returns the KeyObject of a MAC key and caches it. From bytes, Node would create one for each MAC, which takes five
 * times as long as the MAC itself.
 */
function hmacKeyObjectOf(macKey: Uint8Array): KeyObject {
  const cachedKeyObject = cachedHmacKeyObjects.get(macKey);
  if (cachedKeyObject !== undefined) return cachedKeyObject;
  const keyObject = createSecretKey(macKey);
  cachedHmacKeyObjects.set(macKey, keyObject);
  return keyObject;
}
