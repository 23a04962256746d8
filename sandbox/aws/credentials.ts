/** Credentials for this machine: invented, and temporary like a function's, so they are not stored. */
import { createHash } from 'node:crypto';

export type Credentials = {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
};

/** Derives the credentials from a key id, so that signer and verifier compute the same values. */
export function deriveCredentials(accessKeyId: string): Credentials {
  const deriveSecret = (purpose: string) =>
    createHash('sha256').update(`${purpose} of ${accessKeyId}`).digest('base64url');
  return { accessKeyId, secretAccessKey: deriveSecret('secret'), sessionToken: deriveSecret('token') };
}
