/** The ring of token keys, parsed from its secret. An operator publishes keys, lets them sign, and retires them. */
import { createHash, hkdfSync } from 'node:crypto';
import * as z from 'zod/mini';
import type { ShopId } from '../domain/shop-id.ts';
import { parseKeyId } from '../domain/tokens/key-id.ts';
import type { TokenMacKey } from '../domain/tokens/token-format.ts';

/** One key for MACs and for sealing the data of one store. */
export type RingKey = TokenMacKey & { readonly sealingKeyOf: (shopId: ShopId) => Uint8Array };

export type KeyRing = {
  /** The key for new MACs and sealed boxes. */
  readonly signingKey: RingKey;
  /** All keys of the ring by id, because a published key may already sign in another container. */
  readonly keys: ReadonlyMap<string, RingKey>;
};

export type RingEntry = {
  readonly kid: string;
  /** 32 bytes, base64url. */
  readonly secret: string;
  readonly use: 'publish' | 'sign' | 'verify';
  /** ISO 8601: since when it has this use. */
  readonly since: string;
};

const RING_KEY_BYTES = 32;
const ringEntrySchema = z.object({
  kid: z.string().check(z.regex(/^[A-Za-z0-9_-]{1,16}$/)),
  secret: z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/)),
  use: z.enum(['publish', 'sign', 'verify']),
  since: z.string(),
});
const keyRingSchema = z.union([
  z.object({ keys: z.array(ringEntrySchema).check(z.minLength(1)) }),
  z.object({ seed: z.string().check(z.minLength(16)) }),
]);

/**
 * Reads the ring's entries. The initial secret of the stack, `{ seed }`, is read as one signing key "0", so that the
 * first rotation can store it as an entry without changing any token.
 * @throws Error when the content is unusable
 */
export function parseRingEntries(json: unknown): readonly RingEntry[] {
  const { success, data: secret } = keyRingSchema.safeParse(json);
  // The message has no details, because they would quote the secret.
  if (!success) throw new Error('The ring of token keys is malformed.');
  if ('keys' in secret) return secret.keys;
  const secretText = createHash('sha256').update(secret.seed).digest('base64url');
  return [{ kid: '0', secret: secretText, use: 'sign', since: new Date(0).toISOString() }];
}

/**
 * Parses the ring.
 * @throws Error when it is malformed, has a duplicate key, or cannot sign
 */
export function parseKeyRing(json: unknown): KeyRing {
  const ringEntries = parseRingEntries(json);
  const keyByKid = new Map(ringEntries.map((entry) => [entry.kid, toRingKey(entry)]));
  const [newestEntry] = ringEntries
    .filter(({ use }) => use === 'sign')
    .sort((a, b) => Date.parse(b.since) - Date.parse(a.since));
  const signingKey = newestEntry && keyByKid.get(newestEntry.kid);
  if (signingKey === undefined) throw new Error('The ring of token keys has no key to sign with.');
  if (keyByKid.size !== ringEntries.length) throw new Error('The ring of token keys names a key twice.');
  return { signingKey, keys: keyByKid };
}

function toRingKey({ kid, secret }: RingEntry): RingKey {
  const secretBytes = Buffer.from(secret, 'base64url');
  const id = parseKeyId(kid);
  if (id === undefined || secretBytes.length !== RING_KEY_BYTES)
    throw new Error('The ring has an unusable key.');
  return {
    kid: id,
    macKey: deriveRingKey(secretBytes, 'token-mac'),
    sealingKeyOf: (shopId) => deriveRingKey(secretBytes, `seal/${shopId}`),
  };
}

/** HKDF-SHA256 (RFC 5869): the key for one purpose reveals nothing about the others. */
function deriveRingKey(secret: Uint8Array, label: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', `subscriptions/${label}`, RING_KEY_BYTES));
}
