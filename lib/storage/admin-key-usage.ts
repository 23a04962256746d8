/**
 * Writes to the store's KEYS item what requests with admin keys report: that a key has revoked itself, and the hour of
 * a key's last use. An operator's next change of the keys copies the revocations to the secret, and deletes the entries
 * of keys that no longer exist.
 */
import type { AdminKeyId } from '../domain/tokens/admin-key.ts';
import { PART_ATTRIBUTES, type StoreRecord, storePartItemKey } from './stores.ts';
import type { ItemChange, Table } from './table.ts';

type StoreWithId = Pick<StoreRecord, 'shopId'>;
type TableUpdater = Pick<Table, 'update'>;

/**
 * Records that a key has revoked itself. A second call changes nothing.
 * @throws TEMPORARILY_UNAVAILABLE when the table cannot be written
 */
export async function writeAdminKeyRevocation(
  table: TableUpdater,
  { shopId }: StoreWithId,
  { keyId, revokedAtMs }: { readonly keyId: string; readonly revokedAtMs: number },
): Promise<void> {
  const itemChange: ItemChange = {
    key: storePartItemKey(shopId, 'keys'),
    update: 'SET keyRevocations.#key = if_not_exists(keyRevocations.#key, :at)',
    condition: 'attribute_exists(keyRevocations)',
    names: { '#key': keyId },
    values: { ':at': revokedAtMs },
  };
  if ((await table.update(itemChange)).outcome === 'done') return;
  await createMissingKeysItem(table, shopId);
  await table.update(itemChange);
}

/**
 * Records the hour in which a key was used, unless the same or a later hour is recorded. One of concurrent writes
 * succeeds.
 * @throws TEMPORARILY_UNAVAILABLE when the table cannot be written
 */
export async function writeAdminKeyUse(
  table: TableUpdater,
  { shopId, keyLastUses }: Pick<StoreRecord, 'shopId' | 'keyLastUses'>,
  { keyId, hourMs }: { readonly keyId: AdminKeyId; readonly hourMs: number },
): Promise<void> {
  if (keyLastUses === undefined) await createMissingKeysItem(table, shopId);
  await table.update({
    key: storePartItemKey(shopId, 'keys'),
    update: 'SET keyLastUses.#key = :hour',
    condition:
      'attribute_exists(keyLastUses) AND (attribute_not_exists(keyLastUses.#key) OR keyLastUses.#key < :hour)',
    names: { '#key': keyId },
    values: { ':hour': hourMs },
  });
}

/** Creates the KEYS item, or its maps, if they do not exist. Existing maps do not change. */
async function createMissingKeysItem(table: TableUpdater, shopId: StoreRecord['shopId']): Promise<void> {
  const maps = PART_ATTRIBUTES.keys.map((name) => `${name} = if_not_exists(${name}, :empty)`);
  await table.update({
    key: storePartItemKey(shopId, 'keys'),
    update: `SET shopId = :shopId, ${maps.join(', ')}`,
    values: { ':shopId': shopId, ':empty': {} },
  });
}
