/** The times of retries: a number of the store's days later, when its run begins, so that the orders of the day come first. */

import type { ShopId } from '../../domain/shop-id.ts';
import { isoDayIn, type TimeZone } from '../../domain/time-zone.ts';
import { addDays, runStartAtMs } from '../settings/run-times.ts';

/** The store's clock, and the hour of its runs, 0 to 23. */
export type StoreHour = { readonly shopId: ShopId; readonly timeZone: TimeZone; readonly hour: number };

/** Returns when the run begins of the day that is so many days after the day of `atMs` (epoch milliseconds). */
export function hourAfter(store: StoreHour, atMs: number, days: number): number {
  return runStartAtMs(store, store, addDays(isoDayIn(store.timeZone, atMs), days));
}
