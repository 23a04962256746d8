/** Proof Key for Code Exchange (PKCE, RFC 7636). Only the method S256 is used. */
import { createHash } from 'node:crypto';

const VERIFIER_BYTES = 32;

/**
 * Creates a code verifier with 256 random bits: 43 characters (RFC 7636, section 4.1). `random` returns the requested
 * number of random bytes.
 */
export function createCodeVerifier(random: (bytes: number) => Uint8Array): string {
  return Buffer.from(random(VERIFIER_BYTES)).toString('base64url');
}

/** Returns the code challenge of a verifier: 32 bytes (RFC 7636, section 4.2). It is sent and stored as base64url. */
export function codeChallengeOf(verifier: string): Buffer {
  return createHash('sha256').update(verifier).digest();
}
