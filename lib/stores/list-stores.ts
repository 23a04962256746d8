import { type ScanTable, scanAllPages } from '../storage/scan.ts';
import { type StoreRecord, toStoreRecord } from '../storage/stores.ts';
import type { Item } from '../storage/table.ts';

/**
 * Returns all stores sorted by domain, including uninstalled ones. Scans the whole table, so it is only for operators.
 */
export async function listStores(scan: ScanTable): Promise<StoreRecord[]> {
  const storeItemsFilter = 'sk = :store OR sk = :grant OR sk = :keys';
  const values = { ':store': 'STORE', ':grant': 'GRANT', ':keys': 'KEYS' };
  const storeItems: Item[] = [];
  for await (const item of scanAllPages(scan, { filter: storeItemsFilter, values })) storeItems.push(item);
  const itemsByShop = Map.groupBy(storeItems, ({ shopId }) => shopId);
  const stores = [...itemsByShop.values()].flatMap((itemsOfShop) => toStoreRecord(itemsOfShop) ?? []);
  return stores.sort((a, b) => (a.domain < b.domain ? -1 : 1));
}
