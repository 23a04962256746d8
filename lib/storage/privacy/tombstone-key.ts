/**
 * The key that tombstones are hashed with. It lies apart from the table: whoever reads the table, or a log, cannot find
 * out by trying ids who was erased. The stack makes it once, and nothing replaces it.
 */
import { ServiceError } from '../../errors/service-error.ts';
import type { Secrets } from '../secrets.ts';

export type TombstoneKey = () => Promise<string>;

type Deps = { readonly secrets: Pick<Secrets, 'read'>; readonly secretsPrefix: string };

/** The key; a container reads it once. TEMPORARILY_UNAVAILABLE: nobody can tell who was erased. */
export function createTombstoneKey({ secrets, secretsPrefix }: Deps): TombstoneKey {
  let kept: string | undefined;
  return async () => {
    if (kept !== undefined) return kept;
    const secret = await secrets.read(`${secretsPrefix}/tombstone-key`);
    const { key } = (secret?.json ?? {}) as { readonly key?: unknown };
    if (typeof key !== 'string' || key === '') {
      throw new ServiceError('TEMPORARILY_UNAVAILABLE', { internal: 'there is no tombstone key' });
    }
    kept = key;
    return kept;
  };
}
