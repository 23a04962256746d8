/** The times of retries: some days later, when the store's run begins, so that the orders of that day come first. */

import type { ShopId } from '../../domain/shop-id.ts';
import { isoDayIn, type TimeZone } from '../../domain/time-zone.ts';
import { addDays, runStartAtMs } from '../settings/run-times.ts';

/** The store's clock, and the hour of its runs, 0 to 23. */
export type StoreHour = { readonly shopId: ShopId; readonly timeZone: TimeZone; readonly hour: number };

/** Returns when the store's run begins on the date that is `days` days after the date of `atMs` (epoch milliseconds). */
export function runStartAfterDays(store: StoreHour, atMs: number, days: number): number {
  return runStartAtMs(store, store, addDays(isoDayIn(store.timeZone, atMs), days));
}
