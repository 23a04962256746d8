/** Reads whether the service bills a store: then it sets the contracts' `nextBillingDate` itself, and does not compare it. */
import { createBillingSettings } from '../../billing/records/settings.ts';
import type { BillingSettings } from '../../billing/records/settings-record.ts';
import { decideBillingStatus } from '../../billing/settings/decide-billing-status.ts';
import type { StoreRecord } from '../../storage/stores.ts';
import type { Table } from '../../storage/table.ts';

export type ReadBilledSettingsDeps = { readonly table: Table; readonly now: () => number };

/**
 * Reads the settings of a store that the service bills, also while its billing is stopped or has not started.
 * @returns undefined when billing is off
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function readBilledSettings(
  deps: ReadBilledSettingsDeps,
  store: StoreRecord,
): Promise<BillingSettings | undefined> {
  const settings = await createBillingSettings(deps).read(store.shopId);
  const status = decideBillingStatus(settings, { store, nowMs: deps.now(), stopOfAllStores: undefined });
  return status === 'OFF' ? undefined : settings;
}
