/**
 * Writes the id of a leaked token key into every store's item. Every request reads its store, so it refuses tokens of
 * that key even if the container has cached the key.
 */
import type { KeyId } from '../../domain/tokens/key-id.ts';
import type { ScanTable } from '../../storage/scan.ts';
import { readStoreRecord, storeItemKey } from '../../storage/stores.ts';
import type { Table } from '../../storage/table.ts';
import { listStores } from '../list-stores.ts';

/** Adds the key ids to the refused keys of each store. Returns how many stores were changed. Can be repeated. */
export async function addRefusedTokenKeys(
  { table, scan }: { readonly table: Table; readonly scan: ScanTable },
  kids: readonly KeyId[],
): Promise<number> {
  let changedCount = 0;
  for (const { shopId } of await listStores(scan)) {
    const { refusedKids = [] } = (await readStoreRecord(table, shopId, [])) ?? {};
    const writeResult = await table.update({
      key: storeItemKey(shopId),
      update: 'SET refusedKids = :kids',
      // Do not create the item of a store that was purged in the meantime.
      condition: 'attribute_exists(pk)',
      values: { ':kids': [...new Set([...refusedKids, ...kids])] },
    });
    if (writeResult.outcome === 'done') changedCount++;
  }
  return changedCount;
}
