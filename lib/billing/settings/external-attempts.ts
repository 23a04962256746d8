import type { StoreRecord } from '../../storage/stores.ts';
import type { BillingSettings } from '../records/settings-record.ts';
import { hasStarted, settingsOfInstallation } from './decide-billing-status.ts';

/** The service has settled its last attempts this long after billing was switched off. */
const EXTERNAL_ATTEMPTS_DELAY_MS = 3_600_000;

/**
 * Returns from when on a merchant's server may make its own billing attempts, epoch milliseconds: an hour after billing was
 * last switched off; `Infinity` while billing is on, also while it is stopped. An attempt that names no cycle could
 * pay for another order than the one that the service charges.
 * @returns undefined when the service never could charge: billing was never on, or its first day has not begun
 */
export function externalAttemptsFromMs(
  storedSettings: BillingSettings,
  store: Pick<StoreRecord, 'installedAtMs' | 'timeZone'>,
  nowMs: number,
): number | undefined {
  const settings = settingsOfInstallation(storedSettings, store);
  if (hasStarted(settings, store, nowMs)) return Number.POSITIVE_INFINITY;
  const { lastChargingAtMs } = settings;
  return lastChargingAtMs === undefined ? undefined : lastChargingAtMs + EXTERNAL_ATTEMPTS_DELAY_MS;
}
