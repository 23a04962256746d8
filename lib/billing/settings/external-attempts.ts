import type { StoreRecord } from '../../storage/stores.ts';
import type { BillingSettings } from '../records/settings-record.ts';
import { hasStarted, settingsOfInstallation } from './decide-billing-status.ts';

/** The service settles its last attempts before the store makes its own. */
const SWITCH_OFF_DELAY_MS = 3_600_000;

/**
 * Returns from when on a merchant's server may make billing attempts of its own, epoch milliseconds: an hour after the
 * service could charge last, and infinite while it can, also while it is stopped. An attempt without a cycle index could pay
 * another order than the one that the service charges.
 * @returns undefined while no order has been charged by the service: billing was never on, or its first day has not begun
 */
export function externalAttemptsFromMs(
  stored: BillingSettings,
  store: Pick<StoreRecord, 'installedAtMs' | 'timeZone'>,
  nowMs: number,
): number | undefined {
  const settings = settingsOfInstallation(stored, store);
  if (hasStarted(settings, store, nowMs)) return Number.POSITIVE_INFINITY;
  const { lastChargingAtMs } = settings;
  return lastChargingAtMs === undefined ? undefined : lastChargingAtMs + SWITCH_OFF_DELAY_MS;
}
