/**
 * Changes the admin keys of a store. The change takes effect with the write to the store's item. Before it, outdated
 * keys are removed from the list; after it, the data of removed keys is deleted.
 */
import type { ShopId } from '../../domain/shop-id.ts';
import { deleteAdminKeyRecords } from '../../storage/admin-key-claims.ts';
import {
  type AdminKeyRecord,
  type AdminKeysSecret,
  parseAdminKeys,
  toAdminKeysSecret,
} from '../../storage/admin-key-record.ts';
import type { StoreRecord } from '../../storage/stores.ts';
import { changeVersionedSecret, type VersionedSecretDeps } from '../../storage/versioned-secret.ts';
import { cleanUpAdminKeyRecords } from './clean-up-admin-key-records.ts';

export type ChangeAdminKeysDeps = VersionedSecretDeps & { readonly now: () => number };

/**
 * Returns the new list of keys, or undefined to change nothing. It may be called again with other keys: after another
 * operator's change, or after a lost response, when `keys` may already contain this change.
 */
export type UpdateAdminKeyList = (
  keys: readonly AdminKeyRecord[],
  store: StoreRecord,
) => readonly AdminKeyRecord[] | undefined;

/**
 * Makes the change and returns the store after it.
 * @throws SHOP_NOT_INSTALLED when the store does not exist
 */
export async function changeAdminKeys(
  deps: ChangeAdminKeysDeps,
  shopId: ShopId,
  updateKeys: UpdateAdminKeyList,
): Promise<StoreRecord> {
  let orphanedKeyIds: readonly string[] = [];
  const store = await changeVersionedSecret<AdminKeysSecret>(deps, {
    shopId,
    secret: 'admin-keys',
    change: (currentSecret, storeBefore) => {
      const keysBefore = currentSecret === undefined ? [] : parseAdminKeys(currentSecret).keys;
      const keys = updateKeys(cleanUpAdminKeyRecords(keysBefore, storeBefore, deps.now()), storeBefore);
      // The write to the store's item succeeds only if no key was added since the store was read. So no new key belongs
      // to the ids whose data is deleted below.
      orphanedKeyIds = keys === undefined ? [] : findOrphanedAdminKeyIds(storeBefore, keys);
      return keys && toAdminKeysSecret(keys);
    },
  });
  await deleteAdminKeyRecords(deps.table, store, orphanedKeyIds);
  return store;
}

/**
 * Returns the ids of keys that have claims, revocations or uses in the KEYS item, but are not in the list. If a crash
 * prevents their deletion, the next change deletes them.
 */
function findOrphanedAdminKeyIds(
  { keyClaims, keyRevocations, keyLastUses }: StoreRecord,
  keys: readonly AdminKeyRecord[],
) {
  const remainingIds = new Set(keys.map(({ id }) => id));
  const recordedIds = new Set(
    [keyClaims, keyRevocations, keyLastUses].flatMap((times) => Object.keys(times ?? {})),
  );
  return [...recordedIds].filter((id) => !remainingIds.has(id));
}
