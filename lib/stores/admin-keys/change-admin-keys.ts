/** Changes a store's admin keys: they are tidied and changed, the store item decides, then what is kept of old keys goes. */
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
  let orphans: readonly string[] = [];
  const store = await changeVersionedSecret<AdminKeysSecret>(deps, {
    shopId,
    secret: 'admin-keys',
    change: (current, found) => {
      const before = current === undefined ? [] : parseAdminKeys(current).keys;
      const keys = change(tidyAdminKeys(before, found, deps.now()), found);
      // The deciding write holds only if no key was added since `found`: what has no record in it never gets one.
      orphans = keys === undefined ? [] : orphansOf(found, keys);
      return keys && toAdminKeysSecret(keys);
    },
  });
  await dropKeys(deps.table, store, orphans);
  return store;
}

/** The ids of keys that something is kept of, but no record. A crash before they are dropped leaves them to the next change. */
function orphansOf({ keyClaims, keyRevocations, keyLastUses }: StoreRecord, keys: readonly AdminKeyRecord[]) {
  const kept = new Set(keys.map(({ id }) => id));
  const all = new Set([keyClaims, keyRevocations, keyLastUses].flatMap((times) => Object.keys(times ?? {})));
  return [...all].filter((id) => !kept.has(id));
}
