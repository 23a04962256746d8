/**
 * What keys do themselves, in the store's `KEYS#` item: that one has revoked itself. Requests write it;
 * tidy-admin-keys.ts folds it into the secret, and what belongs to no key is dropped with the claims.
 */
import { PART_ATTRIBUTES, partKey, type StoreRecord } from './stores.ts';
import type { Change, Table } from './table.ts';

type StoreOf = Pick<StoreRecord, 'shopId'>;
type Writes = Pick<Table, 'update'>;

/** Notes that a key has revoked itself, unless that is noted. Repeating it changes nothing. TEMPORARILY_UNAVAILABLE. */
export async function writeKeyRevocation(
  table: Writes,
  { shopId }: StoreOf,
  { keyId, revokedAtMs }: { readonly keyId: string; readonly revokedAtMs: number },
): Promise<void> {
  const change: Change = {
    key: partKey(shopId, 'keys'),
    update: 'SET keyRevocations.#key = if_not_exists(keyRevocations.#key, :at)',
    condition: 'attribute_exists(keyRevocations)',
    names: { '#key': keyId },
    values: { ':at': revokedAtMs },
  };
  if ((await table.update(change)).outcome === 'done') return;
  await makeItem(table, shopId);
  await table.update(change);
}

/** Makes the item of a store that is from before it; a map that is there stays as it is. */
async function makeItem(table: Writes, shopId: StoreRecord['shopId']): Promise<void> {
  const maps = PART_ATTRIBUTES.keys.map((name) => `${name} = if_not_exists(${name}, :empty)`);
  await table.update({
    key: partKey(shopId, 'keys'),
    update: `SET shopId = :shopId, ${maps.join(', ')}`,
    values: { ':shopId': shopId, ':empty': {} },
  });
}
