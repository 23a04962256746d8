/** A charge, settings and times of a store in Berlin. */
import type { BillingCharge } from '../../../../lib/billing/records/charge-record.ts';
import {
  type BillingSettings,
  DEFAULT_BILLING_SETTINGS,
} from '../../../../lib/billing/records/settings-record.ts';
import type { ShopId } from '../../../../lib/domain/shop-id.ts';
import { localTimeToEpochMs, type TimeZone } from '../../../../lib/domain/time-zone.ts';
import type { ContractNumber } from '../../../../lib/timeline/event-record.ts';

export const berlin = 'Europe/Berlin' as TimeZone;

/** A store whose runs begin at the hour itself. */
export const berlinStore = { shopId: 5010 as ShopId, timeZone: berlin };

/** Returns the instant of a local time such as `2026-12-01T10:07`. */
export function berlinTime(text: string): number {
  const [day = '', time = ''] = text.split('T');
  const [hour, minute] = time.split(':').map(Number);
  return localTimeToEpochMs(berlin, { day, secondOfDay: Number(hour) * 3600 + Number(minute) * 60 });
}

export const settings: BillingSettings = {
  ...DEFAULT_BILLING_SETTINGS,
  ...{ version: 1, enabled: true, startsOn: '2026-11-01' },
};

export const chargeRecord: BillingCharge = {
  ...{ shopId: berlinStore.shopId, contractNumber: '7001' as ContractNumber, cycleIndex: 4 },
  ...{ version: 1, state: 'DUE', runDate: '2026-12-01', failedTryCount: 0 },
  ...{ expectedAtMs: berlinTime('2026-12-01T00:00'), updatedAtMs: berlinTime('2026-12-01T10:02') },
};
