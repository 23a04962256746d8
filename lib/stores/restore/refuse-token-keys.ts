/** Writes a leaked key of the ring into every store: each request then refuses it, whatever its container remembers. */
import type { KeyId } from '../../domain/tokens/key-id.ts';
import type { ScanTable } from '../../storage/sdk-client/table-scan.ts';
import { readStore, storeKey } from '../../storage/stores.ts';
import type { Table } from '../../storage/table.ts';
import { listStores } from '../list-stores.ts';

/** Adds keys to those that each store refuses, and tells how many stores do so now. Repeating it is safe. */
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
      // A store that was purged meanwhile must not come back.
      condition: 'attribute_exists(pk)',
      values: { ':kids': [...new Set([...refusedKids, ...kids])] },
    });
    if (written.outcome === 'done') changed++;
  }
  return changed;
}
