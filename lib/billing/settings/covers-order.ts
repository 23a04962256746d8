import { isoDayIn, type TimeZone } from '../../domain/time-zone.ts';
import type { BillingCharge } from '../records/charge-record.ts';
import type { BillingSettings } from '../records/settings-record.ts';

/**
 * Whether the settings have the service charge an order: billing is on, and the order is not from before its first day. An
 * order that was found before billing was switched off, or by an earlier installation, can be.
 */
export function coversOrder(
  { enabled, startsOn = '' }: Pick<BillingSettings, 'enabled' | 'startsOn'>,
  { expectedAtMs, runDate }: Pick<BillingCharge, 'expectedAtMs' | 'runDate'>,
  timeZone: TimeZone,
): boolean {
  if (!enabled) return false;
  // A run of this billing has found it, though the order may be of another day in a time zone that was changed since.
  return runDate >= startsOn || isoDayIn(timeZone, expectedAtMs) >= startsOn;
}
