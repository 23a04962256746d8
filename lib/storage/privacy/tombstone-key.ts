/**
 * The key of the tombstones' hashes. It is not stored in the table: a person who can read the table or a log cannot
 * find erased customers by trying ids. The stack creates it once, and it is never replaced.
 */
import { ServiceError } from '../../errors/service-error.ts';
import type { Secrets } from '../secrets.ts';

export type TombstoneKey = () => Promise<string>;

type Deps = { readonly secrets: Pick<Secrets, 'read'>; readonly secretsPrefix: string };

/**
 * Creates a reader of the key; a container reads it once.
 * @throws TEMPORARILY_UNAVAILABLE, because erased customers cannot be recognised without it
 */
export function createTombstoneKey({ secrets, secretsPrefix }: Deps): TombstoneKey {
  let cached: string | undefined;
  return async () => {
    if (cached !== undefined) return cached;
    const secret = await secrets.read(`${secretsPrefix}/tombstone-key`);
    const { key } = (secret?.json ?? {}) as { readonly key?: unknown };
    if (typeof key !== 'string' || key === '') {
      throw new ServiceError('TEMPORARILY_UNAVAILABLE', { internal: 'there is no tombstone key' });
    }
    cached = key;
    return cached;
  };
}
