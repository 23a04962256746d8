/**
 * Deletes all data of an uninstalled store: its items, then its secrets, then its STORE item, and last the item of its
 * domain. After a crash at any point, repeating the command continues the purge.
 */
import type { ShopDomain } from '../../domain/shop-domain.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import { StoreChangeRefused } from '../../errors/store-change-refused.ts';
import type { Logger } from '../../observability/logger.ts';
import type { ScanTable } from '../../storage/scan.ts';
import type { RemoveSecret } from '../../storage/sdk-client/remove-secret.ts';
import { shopDomainItemKey, storeItemKey, toStoreRecord } from '../../storage/stores.ts';
import type { Item, Table } from '../../storage/table.ts';
import {
  storeSecretName,
  VERSION_ID_ATTRIBUTE_BY_SECRET,
  type VersionedSecret,
} from '../../storage/versioned-secret.ts';
import { type RemovedItemCounts, removeStoreItems, type StoreBeingPurged } from './remove-store-items.ts';

type PurgeDeps = {
  readonly table: Table;
  readonly scan: ScanTable;
  readonly removeSecret: RemoveSecret;
  readonly secretsPrefix: string;
  readonly logger: Pick<Logger, 'info'>;
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<void>;
  /** Shows the operator a text before each long step. */
  readonly progress: (text: string) => void;
};
type PurgeReport = {
  /** The number of deleted items by kind, including those that interrupted runs deleted. */
  readonly items: RemovedItemCounts;
  readonly secrets: number;
};

/**
 * How long the purge waits after it has marked the store. Longer than any lease, and than any operator command.
 * @internal A test compares the leases with it.
 */
export const WAIT_AFTER_PURGE_START_MS = 60_000;
/**
 * How long the purge waits after the uninstallation. Longer than any run of a function that may have read the store as
 * installed and still writes items for it. The scheduled work runs longest.
 * @internal A test compares the functions' timeouts with it.
 */
export const WAIT_AFTER_UNINSTALL_MS = 15 * 60_000;

/**
 * Deletes the store's data and returns the counts. Does nothing if no data is left.
 * @throws StoreChangeRefused when the store is installed
 */
export async function purgeStore(
  deps: PurgeDeps,
  { shopId, domain }: { readonly shopId: ShopId; readonly domain: ShopDomain | undefined },
): Promise<PurgeReport> {
  if ((await deps.table.get(storeItemKey(shopId)))?.status === 'installed')
    throw createStoreInstalledRefusal();
  const storeBeingPurged = await markStoreBeingPurged(deps, shopId);
  if (storeBeingPurged !== undefined) await waitForWorkBeforePurge(deps, storeBeingPurged);
  const keysRemovedLast = [storeItemKey(shopId), ...(domain ? [shopDomainItemKey(domain)] : [])];
  const removedItems =
    storeBeingPurged === undefined
      ? {}
      : await removeStoreItems(deps, { store: storeBeingPurged, keysToSkip: keysRemovedLast });
  const removedSecretCount = await removeStoreSecrets(deps, shopId);
  await deps.table.delete(storeItemKey(shopId));
  if (domain !== undefined) {
    const domainCondition = { condition: 'shopId = :shopId', values: { ':shopId': shopId } };
    await deps.table.delete(shopDomainItemKey(domain), domainCondition);
  }
  deps.logger.info('store.purged', { shopId });
  return { items: removedItems, secrets: removedSecretCount };
}

/**
 * Marks the store as being purged.
 * @returns undefined when its STORE item is already deleted
 */
async function markStoreBeingPurged(
  { table, now }: PurgeDeps,
  shopId: ShopId,
): Promise<StoreBeingPurged | undefined> {
  const writeResult = await table.update({
    key: storeItemKey(shopId),
    update: 'SET #status = :purging, purgeMarkedAtMs = if_not_exists(purgeMarkedAtMs, :now)',
    condition: '#status = :uninstalled OR #status = :purging',
    names: { '#status': 'status' },
    values: { ':uninstalled': 'uninstalled', ':purging': 'purging', ':now': now() },
  });
  if (writeResult.outcome === 'done') return toStoreBeingPurged(writeResult.item);
  if ((await table.get(storeItemKey(shopId))) === undefined) return undefined;
  throw createStoreInstalledRefusal();
}

function toStoreBeingPurged(item: Item): StoreBeingPurged {
  const { purgeMarkedAtMs, purgePosition, purgeRemoved } = item;
  return { ...toStoreRecord([item]), purgeMarkedAtMs, purgePosition, purgeRemoved } as StoreBeingPurged;
}

function createStoreInstalledRefusal(): StoreChangeRefused {
  return new StoreChangeRefused('The store is installed. Uninstall it first: that signs everybody out.');
}

async function waitForWorkBeforePurge(
  { now, wait, progress }: PurgeDeps,
  store: StoreBeingPurged,
): Promise<void> {
  const startedAtMs = store.purgeMarkedAtMs ?? now();
  const untilMs = Math.max(
    startedAtMs + WAIT_AFTER_PURGE_START_MS,
    (store.uninstalledAtMs ?? startedAtMs) + WAIT_AFTER_UNINSTALL_MS,
  );
  const waitMs = untilMs - now();
  if (waitMs <= 0) return;
  progress(`Waiting ${Math.ceil(waitMs / 1000)} s for requests and scheduled work under way to end`);
  await wait(waitMs);
}

async function removeStoreSecrets(
  { removeSecret, secretsPrefix }: PurgeDeps,
  shopId: ShopId,
): Promise<number> {
  let removedCount = 0;
  for (const secret of Object.keys(VERSION_ID_ATTRIBUTE_BY_SECRET) as VersionedSecret[]) {
    if (await removeSecret(storeSecretName(secretsPrefix, shopId, secret))) removedCount++;
  }
  return removedCount;
}
