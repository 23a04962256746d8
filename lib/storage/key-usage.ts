/**
 * What keys do themselves, in the store's `KEYS#` item: that one has revoked itself, and the hour in which one was last
 * used. Requests write it; change-admin-keys.ts folds revocations into the secret, and drops what belongs to no key.
 */
import type { AdminKeyId } from '../domain/tokens/admin-key.ts';
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

/** Notes the hour of a key's use, if none as late is noted: of many writes one is made. TEMPORARILY_UNAVAILABLE. */
export async function writeKeyUse(
  table: Writes,
  { shopId, keyLastUses }: Pick<StoreRecord, 'shopId' | 'keyLastUses'>,
  { keyId, hourMs }: { readonly keyId: AdminKeyId; readonly hourMs: number },
): Promise<void> {
  if (keyLastUses === undefined) await makeItem(table, shopId);
  await table.update({
    key: partKey(shopId, 'keys'),
    update: 'SET keyLastUses.#key = :hour',
    condition:
      'attribute_exists(keyLastUses) AND (attribute_not_exists(keyLastUses.#key) OR keyLastUses.#key < :hour)',
    names: { '#key': keyId },
    values: { ':hour': hourMs },
  });
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
