/**
 * Stores when admin keys were claimed. The page of a one-time link writes a claim. An operator's change deletes it
 * with the key's other data when the key no longer has a record.
 */
import { keyOfPart, PART_ATTRIBUTES, partKey, type StoreRecord, storeKey } from './stores.ts';
import type { ItemKey, Table } from './table.ts';

type KeyClaim = { readonly keyId: string; readonly claimedAtMs: number };

/** Writes a claim, unless the key has one. Refused when the store no longer exists. */
export async function writeKeyClaim(
  table: Table,
  store: Pick<StoreRecord, 'shopId' | 'unmigratedParts'>,
  { keyId, claimedAtMs }: KeyClaim,
): Promise<'done' | 'refused'> {
  const own = partKey(store.shopId, 'keys');
  const write = async (key: ItemKey) => {
    const { outcome } = await table.update({
      key,
      update: 'SET keyClaims.#key = if_not_exists(keyClaims.#key, :claimedAt)',
      condition: 'attribute_exists(keyClaims)',
      names: { '#key': keyId },
      values: { ':claimedAt': claimedAtMs },
    });
    return outcome;
  };
  const written = await write(keyOfPart(store, 'keys'));
  // `store resync` may have moved the claims in the meantime.
  return written === 'refused' && store.unmigratedParts ? write(own) : written;
}

/** Deletes the data of keys that no longer have a record. */
export async function dropKeys(table: Table, store: StoreRecord, keyIds: readonly string[]): Promise<void> {
  if (keyIds.length === 0) return;
  const names = Object.fromEntries(keyIds.map((id, index) => [`#key${index}`, id]));
  const drop = async (key: ItemKey, attributes: readonly string[]) =>
    table.update({
      key,
      update: `REMOVE ${attributes.flatMap((map) => keyIds.map((_, index) => `${map}.#key${index}`)).join(', ')}`,
      condition: 'attribute_exists(keyClaims)',
      names,
    });
  if (store.unmigratedParts?.includes('keys')) await drop(storeKey(store.shopId), ['keyClaims']);
  await drop(partKey(store.shopId, 'keys'), PART_ATTRIBUTES.keys);
}
