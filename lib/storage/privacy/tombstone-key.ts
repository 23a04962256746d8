/**
 * The key of the tombstones' hashes (HMAC). It is a secret outside the table, so that a person who can read the table
 * or a log cannot find erased customers by hashing their ids. The deployment creates the key once; it is never
 * replaced.
 */
import { createSingleFlight } from '../../domain/single-flight.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Secrets } from '../secrets.ts';

export type ReadTombstoneKey = () => Promise<string>;

type Deps = { readonly secrets: Pick<Secrets, 'read'>; readonly secretsPrefix: string };

/**
 * Creates a function that reads the key, once per container.
 * @throws TEMPORARILY_UNAVAILABLE when the key cannot be read, because erased customers could not be recognized
 */
export function createReadTombstoneKey({ secrets, secretsPrefix }: Deps): ReadTombstoneKey {
  let cachedKey: string | undefined;
  const secretName = `${secretsPrefix}/tombstone-key`;
  const readOnce = createSingleFlight<string, Awaited<ReturnType<Secrets['read']>>>();
  return async () => {
    if (cachedKey !== undefined) return cachedKey;
    const secret = await readOnce(secretName, () => secrets.read(secretName));
    const { key } = (secret?.json ?? {}) as { readonly key?: unknown };
    if (typeof key !== 'string' || key === '') {
      throw new ServiceError('TEMPORARILY_UNAVAILABLE', { internal: 'there is no tombstone key' });
    }
    cachedKey = key;
    return cachedKey;
  };
}
