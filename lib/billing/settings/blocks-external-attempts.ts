import { isoDayIn } from '../../domain/time-zone.ts';
import { type StoreRecord, timeZoneOf } from '../../storage/stores.ts';
import type { BillingSettings } from '../records/settings-record.ts';
import { settingsOfInstallation } from './decide-billing-status.ts';

/** The service settles its last attempts before the store makes its own. */
const SWITCH_OFF_DELAY_MS = 3_600_000;

/**
 * Whether a merchant's server may not make billing attempts of its own: from the start of the first day until an hour
 * after billing was switched off, also while it is stopped. An attempt without a cycle index could pay another order
 * than the one that the service charges.
 */
export function blocksExternalAttempts(
  stored: BillingSettings,
  store: Pick<StoreRecord, 'installedAtMs' | 'timeZone'>,
  nowMs: number,
): boolean {
  const { enabled, startsOn, disabledAtMs = 0 } = settingsOfInstallation(stored, store);
  if (!enabled && nowMs >= disabledAtMs + SWITCH_OFF_DELAY_MS) return false;
  const lastOnAtMs = enabled ? nowMs : disabledAtMs;
  return startsOn !== undefined && isoDayIn(timeZoneOf(store), lastOnAtMs) >= startsOn;
}
