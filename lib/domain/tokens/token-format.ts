/**
 * The common format of nonces, access tokens and refresh tokens: a prefix, then base64url of version, key id, body
 * and a MAC (HMAC-SHA256, truncated to 128 bits: RFC 2104, section 5). Kind and key id are part of the MAC, so no
 * token is valid as another kind. Each kind's body is defined in its own file.
 */
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { type KeyId, parseKeyId } from './key-id.ts';
import { decodeStrictly } from './strict-base64.ts';

/** A key of the ring for MACs: 32 bytes. */
export type MacKey = { readonly kid: KeyId; readonly mac: Uint8Array };

type TokenLayout<T> = {
  readonly kind: 'access' | 'refresh' | 'nonce';
  readonly prefix: string;
  /** The lengths that a body may have. */
  readonly bodyBytes: readonly number[];
  readonly write: (value: T) => Buffer;
  /**
   * Decodes a body.
   * @returns undefined when no token of the service has such a body
   */
  readonly read: (body: Buffer) => T | undefined;
};

/** A token with a valid format. Its content must not be trusted before `verify`. */
type UnverifiedToken<T> = {
  readonly kid: KeyId;
  /**
   * Returns the content.
   * @returns undefined when the MAC does not match this key, kind, body and bound value
   */
  readonly verify: (key: MacKey, bound?: Uint8Array) => T | undefined;
};

type TokenFormat<T> = {
  /** Encodes a value. `bound`: bytes that the MAC covers without being part of the token. */
  readonly encode: (value: T, key: MacKey, bound?: Uint8Array) => string;
  /**
   * Parses a text strictly: encoding the same bytes must give the same text.
   * @returns undefined when it is malformed
   */
  readonly parse: (text: string) => UnverifiedToken<T> | undefined;
};

const VERSION = 1;
const MAC_BYTES = 16;
const HEAD_BYTES = 2;

/** Creates the format of one kind of token. */
export function createTokenFormat<T>(layout: TokenLayout<T>): TokenFormat<T> {
  const { kind, prefix, bodyBytes } = layout;
  return {
    encode(value, key, bound) {
      const body = layout.write(value);
      const signed = Buffer.concat([Buffer.from([VERSION, key.kid.length]), Buffer.from(key.kid), body]);
      return prefix + Buffer.concat([signed, computeMac({ kind, key, signed, bound })]).toString('base64url');
    },
    parse(text) {
      if (!text.startsWith(prefix)) return undefined;
      const bytes = decodeStrictly(text.slice(prefix.length), 'base64url');
      if (bytes === undefined) return undefined;
      const kid = readKeyId(bytes);
      if (kid === undefined) return undefined;
      if (!bodyBytes.includes(bytes.length - HEAD_BYTES - kid.length - MAC_BYTES)) return undefined;
      const signed = bytes.subarray(0, -MAC_BYTES);
      return {
        kid,
        verify(key, bound) {
          const mac = computeMac({ kind, key, signed, bound });
          const good = key.kid === kid && timingSafeEqual(mac, bytes.subarray(-MAC_BYTES));
          return good ? layout.read(signed.subarray(HEAD_BYTES + kid.length)) : undefined;
        },
      };
    },
  };
}

function readKeyId(bytes: Buffer): KeyId | undefined {
  const [version, length = 0] = bytes;
  if (version !== VERSION) return undefined;
  return parseKeyId(bytes.toString('latin1', HEAD_BYTES, HEAD_BYTES + length));
}

type MacInput = { kind: string; key: MacKey; signed: Uint8Array; bound: Uint8Array | undefined };

function computeMac({ kind, key, signed, bound }: MacInput): Buffer {
  const hmac = createHmac('sha256', keyObjectOf(key.mac)).update(`${kind}\0`).update(signed);
  return hmac
    .update(bound ?? '')
    .digest()
    .subarray(0, MAC_BYTES);
}

const keyObjects = new WeakMap<Uint8Array, KeyObject>();

/**
 * Creates a KeyObject once for each key: from bytes, Node would create one for every MAC, which costs five times the
 * MAC.
 */
function keyObjectOf(mac: Uint8Array): KeyObject {
  const known = keyObjects.get(mac);
  if (known !== undefined) return known;
  const made = createSecretKey(mac);
  keyObjects.set(mac, made);
  return made;
}
