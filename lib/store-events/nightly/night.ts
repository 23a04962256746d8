/** A store's night begins at its 2 o'clock, and a few minutes later for some, so that not all stores begin at once. */
import type { ShopId } from '../../domain/shop-id.ts';
import { isoDayIn, type TimeZone } from '../../domain/time-zone.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const STEP_MS = 5 * MINUTE_MS;
const MINUTES_APART = 30;

type Store = { readonly shopId: ShopId; readonly timeZone: TimeZone };

/** The day of the night that it is, or was last: `2026-11-21` until the next 2 o'clock. */
export function nightOf({ shopId, timeZone }: Store, nowMs: number): string {
  return isoDayIn(timeZone, nowMs - 2 * HOUR_MS - (shopId % MINUTES_APART) * MINUTE_MS);
}

/** When the next night begins, within five minutes; epoch milliseconds. */
export function nextNightAtMs(store: Store, nowMs: number): number {
  const night = nightOf(store, nowMs);
  let atMs = nowMs;
  while (nightOf(store, atMs) === night) atMs += STEP_MS;
  return atMs;
}
