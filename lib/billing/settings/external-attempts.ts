import { isoDayIn } from '../../domain/time-zone.ts';
import { type StoreRecord, timeZoneOf } from '../../storage/stores.ts';
import type { BillingSettings } from '../records/settings-record.ts';
import { settingsOfInstallation } from './decide-billing-status.ts';

/** The service settles its last attempts before the store makes its own. */
const SWITCH_OFF_DELAY_MS = 3_600_000;

/**
 * Returns from when on a merchant's server may make billing attempts of its own, epoch milliseconds: from an hour after
 * billing was switched off, and infinite while it is on, also while it is stopped. An attempt without a cycle index could
 * pay another order than the one that the service charges.
 * @returns undefined while no order has been charged by the service: billing was never on, or its first day has not begun
 */
export function externalAttemptsFromMs(
  stored: BillingSettings,
  store: Pick<StoreRecord, 'installedAtMs' | 'timeZone'>,
  nowMs: number,
): number | undefined {
  const { enabled, startsOn, disabledAtMs = 0 } = settingsOfInstallation(stored, store);
  const lastOnAtMs = enabled ? nowMs : disabledAtMs;
  if (startsOn === undefined || isoDayIn(timeZoneOf(store), lastOnAtMs) < startsOn) return undefined;
  return enabled ? Number.POSITIVE_INFINITY : disabledAtMs + SWITCH_OFF_DELAY_MS;
}
