/**
 * Changes a store's admin keys: removes outdated keys, applies the change, decides it by the store item, then deletes
 * the data of removed keys.
 */
import type { ShopId } from '../../domain/shop-id.ts';
import {
  type AdminKeyRecord,
  type AdminKeysSecret,
  parseAdminKeys,
  toAdminKeysSecret,
} from '../../storage/admin-key-record.ts';
import { dropKeys } from '../../storage/key-claims.ts';
import type { StoreRecord } from '../../storage/stores.ts';
import { changeVersionedSecret, type VersionedSecretDeps } from '../../storage/versioned-secret.ts';
import { tidyAdminKeys } from './tidy-admin-keys.ts';

export type ChangeKeysDeps = VersionedSecretDeps & { readonly now: () => number };

/**
 * Returns the new keys from the current ones; undefined to change nothing. May be called again when another
 * operator's change came first, or when a response was lost: then `keys` may already contain the change.
 */
export type KeysChange = (
  keys: readonly AdminKeyRecord[],
  store: StoreRecord,
) => readonly AdminKeyRecord[] | undefined;

/**
 * Makes the change and returns the store after it.
 * @throws SHOP_NOT_INSTALLED when the store does not exist
 */
export async function changeAdminKeys(
  deps: ChangeKeysDeps,
  shopId: ShopId,
  change: KeysChange,
): Promise<StoreRecord> {
  let orphans: readonly string[] = [];
  const store = await changeVersionedSecret<AdminKeysSecret>(deps, {
    shopId,
    secret: 'admin-keys',
    change: (current, found) => {
      const before = current === undefined ? [] : parseAdminKeys(current).keys;
      const keys = change(tidyAdminKeys(before, found, deps.now()), found);
      // The deciding write succeeds only if no key was added since `found`, so a key without a record in it never
      // gets one.
      orphans = keys === undefined ? [] : orphansOf(found, keys);
      return keys && toAdminKeysSecret(keys);
    },
  });
  await dropKeys(deps.table, store, orphans);
  return store;
}

/** Returns the ids of keys that have data, but no record. After a crash the next change deletes them. */
function orphansOf({ keyClaims, keyRevocations, keyLastUses }: StoreRecord, keys: readonly AdminKeyRecord[]) {
  const remainingIds = new Set(keys.map(({ id }) => id));
  const all = new Set([keyClaims, keyRevocations, keyLastUses].flatMap((times) => Object.keys(times ?? {})));
  return [...all].filter((id) => !remainingIds.has(id));
}
