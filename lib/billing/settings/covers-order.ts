import { isoDayIn, type TimeZone } from '../../domain/time-zone.ts';
import type { BillingCharge } from '../records/charge-record.ts';
import type { BillingSettings } from '../records/settings-record.ts';

/**
 * Whether the service may charge an order by the settings: billing is on, and the order is not from before its first day.
 * False for an open charge that a run found before billing was switched off, or in an earlier installation.
 */
export function coversOrder(
  { enabled, startsOn = '' }: Pick<BillingSettings, 'enabled' | 'startsOn'>,
  { expectedAtMs, runDate }: Pick<BillingCharge, 'expectedAtMs' | 'runDate'>,
  timeZone: TimeZone,
): boolean {
  if (!enabled) return false;
  // A run since the first day has found the order: its date may be earlier only because the time zone has changed since.
  return runDate >= startsOn || isoDayIn(timeZone, expectedAtMs) >= startsOn;
}
