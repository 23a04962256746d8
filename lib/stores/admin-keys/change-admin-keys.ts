/** Changes a store's admin keys: they are tidied and changed, the store item decides, then old claims are dropped. */
import type { ShopId } from '../../domain/shop-id.ts';
import { type AdminKeyRecord, type AdminKeysSecret, parseAdminKeys } from '../../storage/admin-key-record.ts';
import { type StoreRecord, storeKey } from '../../storage/stores.ts';
import { changeVersionedSecret, type VersionedSecretDeps } from '../../storage/versioned-secret.ts';
import { tidyAdminKeys } from './tidy-admin-keys.ts';

export type ChangeKeysDeps = VersionedSecretDeps & { readonly now: () => number };

/**
 * The keys as they shall be, from those that count now; undefined leaves all as it is. May be asked again when
 * another operator was first, or when an answer was lost: then what it asks for may be in `keys` already.
 */
export type KeysChange = (
  keys: readonly AdminKeyRecord[],
  store: StoreRecord,
) => readonly AdminKeyRecord[] | undefined;

/** Makes the change and returns the store after it. SHOP_NOT_INSTALLED if there is no such store. */
export async function changeAdminKeys(
  deps: ChangeKeysDeps,
  shopId: ShopId,
  change: KeysChange,
): Promise<StoreRecord> {
  const kept = new Set<string>();
  const store = await changeVersionedSecret<AdminKeysSecret>(deps, {
    shopId,
    secret: 'admin-keys',
    change: (current, found) => {
      const before = current === undefined ? [] : parseAdminKeys(current).keys;
      const keys = change(tidyAdminKeys(before, found, deps.now()), found);
      kept.clear();
      for (const { id } of keys ?? before) kept.add(id);
      return keys && { keys };
    },
  });
  await dropClaims(deps, store, kept);
  return store;
}

/** Drops the claims of keys that have no record any more. A crash before this leaves them to the next change. */
async function dropClaims({ table }: ChangeKeysDeps, store: StoreRecord, kept: ReadonlySet<string>) {
  const orphans = Object.keys(store.keyClaims).filter((id) => !kept.has(id));
  if (orphans.length === 0) return;
  await table.update({
    key: storeKey(store.shopId),
    update: `REMOVE ${orphans.map((_, index) => `keyClaims.#key${index}`).join(', ')}`,
    condition: 'adminKeysVersionId = :version',
    names: Object.fromEntries(orphans.map((id, index) => [`#key${index}`, id])),
    values: { ':version': store.adminKeysVersionId },
  });
}
