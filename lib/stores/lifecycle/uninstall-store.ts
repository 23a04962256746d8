import type { ShopId } from '../../domain/shop-id.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { StoreChangeRefused } from '../../errors/store-change-refused.ts';
import type { Logger } from '../../observability/logger.ts';
import { readStoreRecord, type StoreRecord, storeItemKey } from '../../storage/stores.ts';
import type { Table } from '../../storage/table.ts';

type UninstallDeps = {
  readonly table: Table;
  readonly logger: Pick<Logger, 'info'>;
  readonly now: () => number;
};

/**
 * Uninstalls a store: all its tokens and keys are refused from the next request on. Its data stays until it is purged.
 * Repeating the call changes nothing.
 * @throws SHOP_NOT_INSTALLED when the store does not exist
 * @throws StoreChangeRefused when the store is being purged
 */
export async function uninstallStore(
  { table, logger, now }: UninstallDeps,
  shopId: ShopId,
): Promise<{ outcome: 'uninstalled' | 'was uninstalled'; store: StoreRecord }> {
  const storeBefore = await readInstalledOrUninstalledStore(table, shopId);
  const uninstalledAtMs = now();
  const writeResult = await table.update({
    key: storeItemKey(shopId),
    update: 'SET #status = :uninstalled, uninstalledAtMs = :now',
    condition: '#status = :installed',
    names: { '#status': 'status' },
    writtenValues: { status: 'uninstalled', uninstalledAtMs },
    values: { ':installed': 'installed', ':uninstalled': 'uninstalled', ':now': uninstalledAtMs },
  });
  if (writeResult.outcome === 'done') {
    // A restore of the table replays these log lines.
    logger.info('store.uninstalled', { shopId });
    return { outcome: 'uninstalled', store: { ...storeBefore, status: 'uninstalled', uninstalledAtMs } };
  }
  return { outcome: 'was uninstalled', store: await readInstalledOrUninstalledStore(table, shopId) };
}

async function readInstalledOrUninstalledStore(table: Table, shopId: ShopId): Promise<StoreRecord> {
  const store = await readStoreRecord(table, shopId);
  if (store === undefined) throw new ServiceError('SHOP_NOT_INSTALLED');
  if (store.status === 'purging') throw new StoreChangeRefused('The store is being purged already.');
  return store;
}
