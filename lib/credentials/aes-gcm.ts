/** AES-256-GCM (NIST SP 800-38D): a random IV of 96 bits at the start, a tag of 128 bits at the end. */
import { createCipheriv, createDecipheriv } from 'node:crypto';

const CIPHER_ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

type AesGcmParameters = {
  /** 32 bytes. */
  readonly key: Uint8Array;
  /** Text that is not encrypted, but must be the same for decryption. */
  readonly additionalData: string;
};

/** Returns IV, ciphertext and tag; `random` returns the requested number of random bytes. */
export function encryptAesGcm(
  { key, additionalData }: AesGcmParameters,
  plaintext: string,
  random: (bytes: number) => Uint8Array,
): Buffer {
  const iv = random(IV_BYTES);
  const cipher = createCipheriv(CIPHER_ALGORITHM, key, iv).setAAD(Buffer.from(additionalData));
  return Buffer.concat([iv, cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()]);
}

/**
 * Returns the plaintext.
 * @returns undefined when the input was altered
 */
export function decryptAesGcm(
  { key, additionalData }: AesGcmParameters,
  bytes: Uint8Array,
): string | undefined {
  if (bytes.length < IV_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv(CIPHER_ALGORITHM, key, bytes.subarray(0, IV_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(additionalData)).setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const text = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
    return text.toString('utf8');
  } catch {
    return undefined;
  }
}
