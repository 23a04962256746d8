/**
 * Writes a leaked key of the ring into every store, so that each request refuses it, even if its container has cached
 * the key.
 */
import type { KeyId } from '../../domain/tokens/key-id.ts';
import type { ScanTable } from '../../storage/sdk-client/table-scan.ts';
import { readStore, storeKey } from '../../storage/stores.ts';
import type { Table } from '../../storage/table.ts';
import { listStores } from '../list-stores.ts';

/** Adds keys to each store's refused keys, and returns how many stores were changed. Can be repeated. */
export async function refuseTokenKeys(
  { table, scan }: { readonly table: Table; readonly scan: ScanTable },
  kids: readonly KeyId[],
): Promise<number> {
  let changed = 0;
  for (const { shopId } of await listStores(scan)) {
    const { refusedKids = [] } = (await readStore(table, shopId, [])) ?? {};
    const written = await table.update({
      key: storeKey(shopId),
      update: 'SET refusedKids = :kids',
      // A store that was purged in the meantime must not be recreated.
      condition: 'attribute_exists(pk)',
      values: { ':kids': [...new Set([...refusedKids, ...kids])] },
    });
    if (written.outcome === 'done') changed++;
  }
  return changed;
}
