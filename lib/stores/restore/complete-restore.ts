/**
 * Completes a table that was restored from a backup. The backup lacks revocations, claims of keys, uninstallations,
 * purges and erasures that happened after it; they are replayed from the logs. Run it before clients' requests return.
 * It can be repeated.
 */
import { writeAdminKeyClaim } from '../../storage/admin-key-claims.ts';
import { writeAdminKeyRevocation } from '../../storage/admin-key-usage.ts';
import { type OneTimeLinkId, oneTimeLinkKey } from '../../storage/one-time-links.ts';
import type { HashedCustomer } from '../../storage/privacy/tombstones.ts';
import { type ScanTable, scanAllPages } from '../../storage/scan.ts';
import type { RevocationReason } from '../../storage/sessions/session-record.ts';
import type { Sessions } from '../../storage/sessions/sessions.ts';
import { readStoreRecord, storeItemKey } from '../../storage/stores.ts';
import type { VersionedSecretDeps } from '../../storage/versioned-secret.ts';
import { listStores } from '../list-stores.ts';
import type { LoggedChange } from './logged-change.ts';
import { resyncStore } from './resync-store.ts';

type CompleteRestoreDeps = VersionedSecretDeps & {
  readonly scan: ScanTable;
  readonly sessions: Sessions;
  readonly now: () => number;
  /** Repeats the erasures since the backup. Returns how many items were deleted or changed. */
  readonly eraseAgain: (erased: readonly ErasedCustomer[]) => Promise<number>;
  /** Repeats the changes of billing settings since the backup. Returns how many stores have other settings then. */
  readonly replayBilling: (changes: readonly BillingChange[]) => Promise<number>;
};
type BillingChange = LoggedChangeOf<'billing.changed'>;
type ErasedCustomer = HashedCustomer & { readonly erasedAtMs: number };
export type RestoreReport = {
  readonly revokedSessions: number;
  readonly claimedKeys: number;
  /** The number of customers that were erased after the backup and are now erased again. */
  readonly erasedCustomers: number;
  /** The number of items that were deleted or changed for these customers. */
  readonly itemsOfErased: number;
  /** The number of stores whose billing settings were changed after the backup. */
  readonly billingSettings: number;
  readonly uninstalled: readonly number[];
  /** Ids of stores that were purged after the backup. The operator must purge them again. */
  readonly toPurge: readonly number[];
  /** Ids of stores that were installed after the backup. The operator must install them again. */
  readonly toInstall: readonly number[];
  /** Updates of stores after the backup, without grants. The operator must repeat them. */
  readonly toUpdate: readonly { readonly shopId: number; readonly changed: readonly string[] }[];
  /** Keys that were issued after the backup and not claimed. Their links are lost, so they must be issued again. */
  readonly lostLinks: readonly { readonly shopId: number; readonly keyId: string }[];
  readonly resynced: number;
  readonly stores: number;
};

/**
 * Replays the events, which are sorted by time, updates each store to the current versions of its secrets, and records
 * the restore in each store's item. Returns what was done and what the operator must do.
 */
export async function completeRestore(
  deps: CompleteRestoreDeps,
  events: readonly LoggedChange[],
): Promise<RestoreReport> {
  const lastChangeByShop = new Map<number, string>();
  let revokedSessionCount = 0;
  const claimedAtMsByKey = new Map<string, number>();
  for (const event of events) {
    if (event.message === 'session.revoked')
      revokedSessionCount += await replaySessionRevocation(deps, event);
    else if (event.message === 'key.claimed')
      claimedAtMsByKey.set(event.keyId, await replayKeyClaim(deps, event));
    else if (event.message === 'key.revoked_itself') await replayKeySelfRevocation(deps, event);
    else if (isStoreLifecycleEvent(event)) lastChangeByShop.set(event.shopId, event.message);
    // Also if the store was installed again later: sessions from before must stay invalid.
    if (event.message === 'store.uninstalled' || event.message === 'store.purged')
      await replayUninstallation(deps, event);
  }
  await markOpenedLinks(deps, claimedAtMsByKey);
  const erasureEvents = events.filter((event) => event.message === 'customer.erased');
  const erasedItemCount = erasureEvents.length === 0 ? 0 : await deps.eraseAgain(erasureEvents);
  const billingChanges = events.filter((event) => event.message === 'billing.changed');
  const replayedSettingsCount = billingChanges.length === 0 ? 0 : await deps.replayBilling(billingChanges);
  const { stores, resynced } = await realignSecretVersionsOfStores(deps);
  const listShopIdsByLastChange = (...messages: string[]) =>
    [...lastChangeByShop].filter(([, message]) => messages.includes(message)).map(([shopId]) => shopId);
  return {
    revokedSessions: revokedSessionCount,
    claimedKeys: claimedAtMsByKey.size,
    erasedCustomers: new Set(erasureEvents.map(({ shopId, hash }) => `${shopId} ${hash}`)).size,
    itemsOfErased: erasedItemCount,
    billingSettings: replayedSettingsCount,
    uninstalled: listShopIdsByLastChange('store.uninstalled'),
    toPurge: listShopIdsByLastChange('store.purged'),
    toInstall: listShopIdsByLastChange('store.installed'),
    toUpdate: listMissingUpdates(events),
    lostLinks: listKeysWithLostLinks(events).filter(
      ({ keyId }) => !claimedAtMsByKey.has(keyId) && !isKeyRevokedInLog(events, keyId),
    ),
    resynced,
    stores,
  };
}

const STORE_LIFECYCLE_EVENTS = ['store.installed', 'store.uninstalled', 'store.purged'] as const;

function isStoreLifecycleEvent(
  event: LoggedChange,
): event is LoggedChangeOf<(typeof STORE_LIFECYCLE_EVENTS)[number]> {
  return STORE_LIFECYCLE_EVENTS.some((each) => each === event.message);
}

function listMissingUpdates(events: readonly LoggedChange[]): RestoreReport['toUpdate'] {
  return events.flatMap((event) => {
    if (event.message !== 'store.updated') return [];
    const changedSettings = event.changed.filter((setting) => setting !== 'grant');
    return changedSettings.length === 0 ? [] : [{ shopId: event.shopId, changed: changedSettings }];
  });
}

/**
 * Whether the log contains an operator's revocation of the key. The secret contains it, too, so it need not be
 * replayed.
 */
function isKeyRevokedInLog(events: readonly LoggedChange[], revokedId: string): boolean {
  return events.some((event) => event.message === 'key.revoked' && event.keyId === revokedId);
}

function listKeysWithLostLinks(events: readonly LoggedChange[]): RestoreReport['lostLinks'] {
  return events.flatMap((event) => {
    if (event.message === 'key.issued') return [{ shopId: event.shopId, keyId: event.keyId }];
    if (event.message !== 'key.rotated' && event.message !== 'key.leaked') return [];
    return [{ shopId: event.shopId, keyId: event.successor }];
  });
}

type LoggedChangeOf<Message extends LoggedChange['message']> = Extract<LoggedChange, { message: Message }>;

async function replaySessionRevocation(
  { sessions }: CompleteRestoreDeps,
  event: LoggedChangeOf<'session.revoked'>,
): Promise<number> {
  const reason = event.reason as RevocationReason;
  const writeResult = await sessions.revoke(event, { reason, nowMs: event.atMs });
  return writeResult.outcome === 'done' ? 1 : 0;
}

async function replayKeyClaim(
  { table }: CompleteRestoreDeps,
  event: LoggedChangeOf<'key.claimed'>,
): Promise<number> {
  const store = await readStoreRecord(table, event.shopId, ['keys']);
  if (store !== undefined) await writeAdminKeyClaim(table, store, event);
  return event.claimedAtMs;
}

async function replayKeySelfRevocation(
  { table }: CompleteRestoreDeps,
  event: LoggedChangeOf<'key.revoked_itself'>,
): Promise<void> {
  const store = await readStoreRecord(table, event.shopId, ['keys']);
  if (store !== undefined) await writeAdminKeyRevocation(table, store, event);
}

async function replayUninstallation(
  { table }: CompleteRestoreDeps,
  { shopId, atMs }: LoggedChangeOf<(typeof STORE_LIFECYCLE_EVENTS)[number]>,
): Promise<void> {
  await table.update({
    key: storeItemKey(shopId),
    update: 'SET #status = :uninstalled, uninstalledAtMs = :at',
    condition: '#status = :installed',
    names: { '#status': 'status' },
    values: { ':installed': 'installed', ':uninstalled': 'uninstalled', ':at': atMs },
  });
}

/** Marks one-time links that were opened after the backup, so that they cannot be opened a second time. */
async function markOpenedLinks(
  { scan, table }: CompleteRestoreDeps,
  claimedAtMsByKey: ReadonlyMap<string, number>,
) {
  if (claimedAtMsByKey.size === 0) return;
  for await (const link of scanAllPages(scan, { filter: 'sk = :link', values: { ':link': 'LINK' } })) {
    const claimedAtMs = claimedAtMsByKey.get(String(link.keyId));
    if (claimedAtMs === undefined) continue;
    await table.update({
      key: oneTimeLinkKey(String(link.linkId) as OneTimeLinkId),
      update: 'SET claimId = :restored, claimedAtMs = :claimedAt',
      condition: 'attribute_exists(pk) AND attribute_not_exists(claimId)',
      values: { ':restored': 'restored', ':claimedAt': claimedAtMs },
    });
  }
}

async function realignSecretVersionsOfStores(
  deps: CompleteRestoreDeps,
): Promise<{ stores: number; resynced: number }> {
  const stores = await listStores(deps.scan);
  let resyncedCount = 0;
  for (const { shopId } of stores) {
    const { secrets } = await resyncStore(deps, shopId);
    resyncedCount += secrets.filter(({ moved }) => moved !== 'nothing').length;
    await deps.table.update({
      key: storeItemKey(shopId),
      update: 'SET restoredAtMs = :now',
      condition: 'attribute_exists(pk)',
      values: { ':now': deps.now() },
    });
  }
  return { stores: stores.length, resynced: resyncedCount };
}
