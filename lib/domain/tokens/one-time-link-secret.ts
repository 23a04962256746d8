/**
 * The secret in the URL fragment of a one-time link. Two keys are derived from it. One decrypts the sealed admin key,
 * which happens only in the browser. The other is the proof that the browser sends to the server; it decrypts nothing.
 */
import { createCipheriv, createDecipheriv, createHash, hkdfSync } from 'node:crypto';
import type { Brand } from '../brand.ts';
import type { AdminKeyText } from './admin-key.ts';

/** 32 random bytes, base64url. Only the person who opens the link may know it. */
export type OneTimeLinkSecret = Brand<string, 'OneTimeLinkSecret'>;

const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Creates the secret of a link. `random` returns the requested number of random bytes. */
export function createOneTimeLinkSecret(random: (bytes: number) => Uint8Array): OneTimeLinkSecret {
  return Buffer.from(random(KEY_BYTES)).toString('base64url') as OneTimeLinkSecret;
}

/** Returns the proof that the caller knows the secret, base64url. */
export function oneTimeLinkProofOf(secret: OneTimeLinkSecret): string {
  return deriveFromOneTimeLinkSecret(secret, 'one-time-link proof').toString('base64url');
}

/** Returns the SHA-256 hash of the proof, base64url. The server stores only this hash. */
export function hashOneTimeLinkProof(proof: string): string {
  return createHash('sha256').update(proof).digest('base64url');
}

/**
 * Encrypts the admin key with AES-256-GCM (NIST SP 800-38D). Returns iv, ciphertext and tag, concatenated as base64url.
 */
export function sealAdminKey(
  key: AdminKeyText,
  secret: OneTimeLinkSecret,
  random: (bytes: number) => Uint8Array,
): string {
  const iv = random(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', deriveFromOneTimeLinkSecret(secret, 'one-time-link seal'), iv);
  const sealed = Buffer.concat([iv, cipher.update(key), cipher.final(), cipher.getAuthTag()]);
  return sealed.toString('base64url');
}

/**
 * Decrypts a sealed admin key.
 * @returns undefined when it was encrypted with another secret
 */
export function openSealedAdminKey(sealedKey: string, secret: OneTimeLinkSecret): AdminKeyText | undefined {
  const sealedBytes = Buffer.from(sealedKey, 'base64url');
  const iv = sealedBytes.subarray(0, IV_BYTES);
  const adminKeyDecipher = createDecipheriv(
    'aes-256-gcm',
    deriveFromOneTimeLinkSecret(secret, 'one-time-link seal'),
    iv,
  );
  adminKeyDecipher.setAuthTag(sealedBytes.subarray(-TAG_BYTES));
  try {
    const text = Buffer.concat([
      adminKeyDecipher.update(sealedBytes.subarray(IV_BYTES, -TAG_BYTES)),
      adminKeyDecipher.final(),
    ]);
    return text.toString() as AdminKeyText;
  } catch {
    return undefined;
  }
}

function deriveFromOneTimeLinkSecret(secret: OneTimeLinkSecret, label: string): Buffer {
  return Buffer.from(hkdfSync('sha256', Buffer.from(secret, 'base64url'), '', label, KEY_BYTES));
}
