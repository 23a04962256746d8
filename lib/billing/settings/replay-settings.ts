/** Replays changes of settings from the log into a restored table, so that what was switched off stays off. */
import type { ShopId } from '../../domain/shop-id.ts';
import type { Table } from '../../storage/table.ts';
import { createBillingSettings } from '../records/settings.ts';
import { type BillingSettings, DEFAULT_BILLING_SETTINGS } from '../records/settings-record.ts';
import type { StopOfAllChange } from './change-settings.ts';

/** The settings after a change, as `billing.changed` logged them. */
export type LoggedSettings = {
  readonly shopId: ShopId;
  readonly settings: Partial<BillingSettings> & Pick<BillingSettings, 'version'>;
};

type Deps = { readonly table: Pick<Table, 'get' | 'put' | 'delete'>; readonly now: () => number };

/**
 * Writes the latest logged settings of each store, unless the table has later ones, and the latest stop or resume of all
 * stores. The changes are sorted by time. Can be repeated.
 * @returns the number of stores whose settings were written
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function replaySettings(
  { table, now }: Deps,
  changes: readonly (LoggedSettings | StopOfAllChange)[],
): Promise<number> {
  const latestStopChange = changes.findLast((change) => 'allStores' in change);
  if (latestStopChange?.allStores === 'stopped') await createBillingSettings({ table, now }).stopAll();
  if (latestStopChange?.allStores === 'resumed') await createBillingSettings({ table, now }).resumeAll();
  const latestByStore = new Map<ShopId, LoggedSettings['settings']>();
  for (const { shopId, settings } of changes.filter((change) => 'shopId' in change))
    if (settings.version > (latestByStore.get(shopId)?.version ?? 0)) latestByStore.set(shopId, settings);
  let replayedCount = 0;
  for (const [shopId, settings] of latestByStore) {
    // Settings from before the present installation are ignored: so the logged time is written, not the present one.
    const repository = createBillingSettings({ table, now: () => settings.updatedAtMs ?? 0 });
    if ((await repository.read(shopId)).version >= settings.version) continue;
    const settingsBefore = { version: settings.version - 1 };
    const replayedSettings = { ...DEFAULT_BILLING_SETTINGS, ...settings };
    if ((await repository.overwrite(shopId, settingsBefore, replayedSettings)) === 'done') replayedCount += 1;
  }
  return replayedCount;
}
