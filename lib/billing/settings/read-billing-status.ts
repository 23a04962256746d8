/** Reads whether the service charges a store's orders now. */
import type { StoreRecord } from '../../storage/stores.ts';
import type { BillingSettingsRepository, BillingStop } from '../records/settings.ts';
import type { BillingSettings } from '../records/settings-record.ts';
import { type BillingStatus, decideBillingStatus } from './decide-billing-status.ts';

export type BillingStatusDeps = {
  readonly settings: Pick<BillingSettingsRepository, 'read' | 'readStop'>;
  readonly now: () => number;
};
type BillingState = {
  readonly status: BillingStatus;
  readonly storedSettings: BillingSettings;
  readonly stopAll: BillingStop | undefined;
};

/**
 * Reads the store's settings and the operators' stop of all stores, and decides the status.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function readBillingStatus(
  { settings, now }: BillingStatusDeps,
  store: StoreRecord,
): Promise<BillingState> {
  const stopAll = await settings.readStop();
  const storedSettings = await settings.read(store.shopId);
  const status = decideBillingStatus(storedSettings, { store, nowMs: now(), stopAll });
  return { status, storedSettings, stopAll };
}
