/** The credentials of this machine: made up, and as temporary as a function's, so nothing is kept of them. */
import { createHash } from 'node:crypto';

export type Credentials = {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
};

/** The credentials of a key's id: whoever signs and whoever verifies comes to the same. */
export function credentialsOf(accessKeyId: string): Credentials {
  const made = (what: string) => createHash('sha256').update(`${what} of ${accessKeyId}`).digest('base64url');
  return { accessKeyId, secretAccessKey: made('secret'), sessionToken: made('token') };
}
