import { type ScanTable, scanAll } from '../storage/sdk-client/table-scan.ts';
import { type StoreRecord, toStoreRecord } from '../storage/stores.ts';

/** All stores, installed or not, by domain. Reads the whole table: for operators alone. */
export async function listStores(scan: ScanTable): Promise<StoreRecord[]> {
  const stores: StoreRecord[] = [];
  for await (const item of scanAll(scan, { filter: 'sk = :store', values: { ':store': 'STORE' } })) {
    stores.push(toStoreRecord(item));
  }
  return stores.sort((a, b) => (a.domain < b.domain ? -1 : 1));
}
