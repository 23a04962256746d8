/**
 * Deletes an uninstalled store completely: first its items, then its secrets, its store item, and last its pointer.
 * After a crash at any point, the same command continues.
 */
import type { ShopDomain } from '../../domain/shop-domain.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import { StoreChangeRefused } from '../../errors/store-change-refused.ts';
import type { Logger } from '../../observability/logger.ts';
import type { RemoveSecret } from '../../storage/sdk-client/remove-secret.ts';
import type { ScanTable } from '../../storage/sdk-client/table-scan.ts';
import { shopDomainKey, storeKey, toStoreRecord } from '../../storage/stores.ts';
import type { Item, Table } from '../../storage/table.ts';
import { storeSecretName, VERSION_ATTRIBUTE, type VersionedSecret } from '../../storage/versioned-secret.ts';
import { type PurgeMark, type RemovedItems, removeStoreItems } from './remove-store-items.ts';

type PurgeDeps = {
  readonly table: Table;
  readonly scan: ScanTable;
  readonly removeSecret: RemoveSecret;
  readonly secretsPrefix: string;
  readonly logger: Pick<Logger, 'info'>;
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<void>;
  /** Called before each long step, for display. */
  readonly progress: (text: string) => void;
};
type Purged = {
  /** Deleted items by kind, counted again if the command was repeated. */
  readonly items: RemovedItems;
  readonly secrets: number;
};

/**
 * The wait after the purge mark: longer than any lease, and than any running operator command.
 * @internal A test holds the waits against it.
 */
export const MARK_SETTLE_MS = 60_000;
/**
 * The wait after the uninstall: longer than any function run that may have read the store as installed and still
 * writes for it. The scheduled work is the longest.
 * @internal A test holds the waits against it.
 */
export const WORK_SETTLE_MS = 15 * 60_000;

/**
 * Deletes the store and returns the counts. Does nothing if nothing is left.
 * @throws StoreChangeRefused when it is installed
 */
export async function purgeStore(
  deps: PurgeDeps,
  { shopId, domain }: { readonly shopId: ShopId; readonly domain: ShopDomain | undefined },
): Promise<Purged> {
  if ((await deps.table.get(storeKey(shopId)))?.status === 'installed') throw isInstalled();
  const purge = await markPurging(deps, shopId);
  if (purge !== undefined) await settle(deps, purge);
  const protectedKeys = [storeKey(shopId), ...(domain ? [shopDomainKey(domain)] : [])];
  const items = purge === undefined ? {} : await removeStoreItems(deps, { store: purge, protectedKeys });
  const secrets = await removeSecrets(deps, shopId);
  await deps.table.delete(storeKey(shopId));
  if (domain !== undefined) {
    const condition = { condition: 'shopId = :shopId', values: { ':shopId': shopId } };
    await deps.table.delete(shopDomainKey(domain), condition);
  }
  deps.logger.info('store.purged', { shopId });
  return { items, secrets };
}

/**
 * Marks the store as being purged.
 * @returns undefined when the store item no longer exists
 */
async function markPurging({ table, now }: PurgeDeps, shopId: ShopId): Promise<PurgeMark | undefined> {
  const written = await table.update({
    key: storeKey(shopId),
    update: 'SET #status = :purging, purgeMarkedAtMs = if_not_exists(purgeMarkedAtMs, :now)',
    condition: '#status = :uninstalled OR #status = :purging',
    names: { '#status': 'status' },
    values: { ':uninstalled': 'uninstalled', ':purging': 'purging', ':now': now() },
  });
  if (written.outcome === 'done') return toPurgeMark(written.item);
  if ((await table.get(storeKey(shopId))) === undefined) return undefined;
  throw isInstalled();
}

function toPurgeMark(item: Item): PurgeMark {
  const { purgeMarkedAtMs, purgePosition, purgeRemoved } = item;
  return { ...toStoreRecord([item]), purgeMarkedAtMs, purgePosition, purgeRemoved } as PurgeMark;
}

function isInstalled(): StoreChangeRefused {
  return new StoreChangeRefused('The store is installed. Uninstall it first: that signs everybody out.');
}

async function settle({ now, wait, progress }: PurgeDeps, markPurging: PurgeMark): Promise<void> {
  const startedAtMs = markPurging.purgeMarkedAtMs ?? now();
  const untilMs = Math.max(
    startedAtMs + MARK_SETTLE_MS,
    (markPurging.uninstalledAtMs ?? startedAtMs) + WORK_SETTLE_MS,
  );
  const restMs = untilMs - now();
  if (restMs <= 0) return;
  progress(`Waiting ${Math.ceil(restMs / 1000)} s for requests and scheduled work under way to end`);
  await wait(restMs);
}

async function removeSecrets({ removeSecret, secretsPrefix }: PurgeDeps, shopId: ShopId): Promise<number> {
  let removed = 0;
  for (const secret of Object.keys(VERSION_ATTRIBUTE) as VersionedSecret[]) {
    if (await removeSecret(storeSecretName(secretsPrefix, shopId, secret))) removed++;
  }
  return removed;
}
