/** Computes when a store's runs begin: one run each day, even if clocks skip or repeat the run's hour on that day. */
import type { ShopId } from '../../domain/shop-id.ts';
import { isoDayIn, localTimeToEpochMs, type TimeZone } from '../../domain/time-zone.ts';
import { type StoreRecord, timeZoneOf } from '../../storage/stores.ts';
import type { BillingSettings } from '../records/settings-record.ts';
import { settingsOfInstallation } from './decide-billing-status.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const HOUR_SECONDS = 3600;
/** The minutes over which the starts of all stores are spread. */
const RUN_START_SPREAD_MINUTES = 30;

type Store = Pick<StoreRecord, 'shopId' | 'timeZone' | 'installedAtMs'>;

/**
 * Returns when the run of a day (`2026-12-01`) begins, epoch milliseconds: some minutes after the hour, by the store's id. If
 * clocks repeat the hour on that day, its first occurrence counts; if they skip it, the time at which they were put forward.
 */
export function runStartAtMs(
  { hour }: Pick<BillingSettings, 'hour'>,
  store: Pick<Store, 'shopId' | 'timeZone'>,
  day: string,
): number {
  const timeZone = timeZoneOf(store);
  const hourAtMs = localTimeToEpochMs(timeZone, { day, secondOfDay: hour * HOUR_SECONDS });
  return hourAtMs + startDelayMinutesOf(store.shopId) * MINUTE_MS;
}

/**
 * Returns when the next run begins, epoch milliseconds: later than `nowMs`, and not before the first day of billing.
 * @returns undefined when billing is off
 */
export function nextRunAtMs(
  storedSettings: BillingSettings,
  store: Store,
  nowMs: number,
): number | undefined {
  const settings = settingsOfInstallation(storedSettings, store);
  if (!settings.enabled) return undefined;
  const timeZone = timeZoneOf(store);
  const today = isoDayIn(timeZone, nowMs);
  // The run of yesterday may begin after midnight: some zones put the clocks forward over the last hour of a day.
  const yesterday = addDays(today, -1);
  const { startsOn = yesterday } = settings;
  const startTimes = [yesterday, today, addDays(today, 1), startsOn]
    .filter((day) => day >= startsOn)
    .map((day) => runStartAtMs(settings, store, day));
  return Math.min(...startTimes.filter((startMs) => startMs > nowMs));
}

/**
 * Returns the latest date whose run should have begun by `nowMs`.
 * @returns undefined when billing is off, or its first run has not begun
 */
export function latestRunDate(
  storedSettings: BillingSettings,
  store: Store,
  nowMs: number,
): string | undefined {
  const settings = settingsOfInstallation(storedSettings, store);
  if (!settings.enabled) return undefined;
  const today = isoDayIn(timeZoneOf(store), nowMs);
  const { startsOn = '' } = settings;
  return [today, addDays(today, -1)].find(
    (day) => day >= startsOn && runStartAtMs(settings, store, day) <= nowMs,
  );
}

/** Returns the date that is `dayCount` days after a date such as `2026-12-01`. */
export function addDays(day: string, dayCount: number): string {
  return new Date(Date.parse(day) + dayCount * DAY_MS).toISOString().slice(0, 10);
}

/** Returns the first instant of the day after `day` in the zone, epoch milliseconds. */
export function endOfDayMs(timeZone: TimeZone, day: string): number {
  return localTimeToEpochMs(timeZone, { day: addDays(day, 1), secondOfDay: 0 });
}

function startDelayMinutesOf(shopId: ShopId): number {
  return shopId % RUN_START_SPREAD_MINUTES;
}
