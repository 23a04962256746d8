/** A store's RS256 keys. The first one signs; unpublished ones still verify an id_token_hint. */
import { generateKeyPairSync, randomUUID } from 'node:crypto';

export type SigningKey = {
  readonly kid: string;
  readonly isPublished: boolean;
  /** The private key as a JWK (RFC 7517). */
  readonly jwk: Readonly<Record<string, string>>;
};

export function createSigningKey(): SigningKey {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const { kty, n, e, d, p, q, dp, dq, qi } = privateKey.export({ format: 'jwk' });
  const jwk = Object.entries({ kty, n, e, d, p, q, dp, dq, qi }).filter(([, value]) => value !== undefined);
  return { kid: randomUUID(), isPublished: true, jwk: Object.fromEntries(jwk) as Record<string, string> };
}

/** Returns the key set for the provider: all keys, private. */
export function toPrivateKeySet(keys: readonly SigningKey[]): { keys: Record<string, string>[] } {
  return { keys: keys.map(({ kid, jwk }) => ({ ...jwk, kid, use: 'sig', alg: 'RS256' })) };
}

/** Returns the public key set. */
export function toPublicKeySet(keys: readonly SigningKey[]): { keys: Record<string, string | undefined>[] } {
  const publishedKeys = keys.filter(({ isPublished }) => isPublished);
  return {
    keys: publishedKeys.map(({ kid, jwk: { kty, n, e } }) => ({ kty, n, e, kid, use: 'sig', alg: 'RS256' })),
  };
}

/** Adds a new key in front. `keepsOld`: the old keys stay published, as in an announced rotation. */
export function addNewSigningKey(keys: readonly SigningKey[], keepsOld: boolean): SigningKey[] {
  const previousKeys = keepsOld ? keys : keys.map((key) => ({ ...key, isPublished: false }));
  return [createSigningKey(), ...previousKeys];
}
