/**
 * Stores when admin keys were claimed. The one-time link writes the claim of its key. An operator's later change of the
 * keys deletes the claim when the key is no longer in the list.
 */
import {
  PART_ATTRIBUTES,
  type StoreRecord,
  storedPartItemKey,
  storeItemKey,
  storePartItemKey,
} from './stores.ts';
import type { ItemKey, Table } from './table.ts';

type AdminKeyClaim = { readonly keyId: string; readonly claimedAtMs: number };

/** Writes the claim of a key, unless it has one. Returns `refused` when the store no longer exists. */
export async function writeAdminKeyClaim(
  table: Table,
  store: Pick<StoreRecord, 'shopId' | 'unmigratedParts'>,
  { keyId, claimedAtMs }: AdminKeyClaim,
): Promise<'done' | 'refused'> {
  const keysItemKey = storePartItemKey(store.shopId, 'keys');
  const writeClaimTimeTo = async (key: ItemKey) => {
    const { outcome } = await table.update({
      key,
      update: 'SET keyClaims.#key = if_not_exists(keyClaims.#key, :claimedAt)',
      condition: 'attribute_exists(keyClaims)',
      names: { '#key': keyId },
      values: { ':claimedAt': claimedAtMs },
    });
    return outcome;
  };
  const claimWrite = await writeClaimTimeTo(storedPartItemKey(store, 'keys'));
  // `store resync` may have migrated the claims to the KEYS item since the store was read.
  return claimWrite === 'refused' && store.unmigratedParts ? writeClaimTimeTo(keysItemKey) : claimWrite;
}

/** Deletes the claims, revocations and last uses of these keys. */
export async function deleteAdminKeyRecords(
  table: Table,
  store: StoreRecord,
  keyIds: readonly string[],
): Promise<void> {
  if (keyIds.length === 0) return;
  const namePlaceholders = Object.fromEntries(keyIds.map((id, index) => [`#key${index}`, id]));
  const removeClaims = async (key: ItemKey, attributes: readonly string[]) =>
    table.update({
      key,
      update: `REMOVE ${attributes.flatMap((map) => keyIds.map((_, index) => `${map}.#key${index}`)).join(', ')}`,
      condition: 'attribute_exists(keyClaims)',
      names: namePlaceholders,
    });
  if (store.unmigratedParts?.includes('keys')) await removeClaims(storeItemKey(store.shopId), ['keyClaims']);
  await removeClaims(storePartItemKey(store.shopId, 'keys'), PART_ATTRIBUTES.keys);
}
