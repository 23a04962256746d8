/**
 * Schedules the daily reading of a store's time zone, at a time of day that depends on the store. A store has one due
 * item per day, so repeated scheduling causes one reading.
 */
import type { ShopId } from '../../domain/shop-id.ts';
import { createDueItems, type DueItem } from '../../storage/due-items.ts';
import type { Table } from '../../storage/table.ts';

const DAY_MS = 86_400_000;

type Deps = { readonly table: Table; readonly now: () => number };

/**
 * Schedules a reading of the zone: `now`, by the next run, or within a day from now.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function recordZoneReading(
  deps: Deps,
  shopId: ShopId,
  when: 'now' | 'within a day',
): Promise<void> {
  await createDueItems(deps).put(readingOf(shopId, deps.now(), when));
}

/** Returns the store's last daily time before now, or the next one. */
function readingOf(shopId: ShopId, nowMs: number, when: 'now' | 'within a day'): DueItem {
  const ownMs = shopId % DAY_MS;
  const lastMs = Math.floor((nowMs - ownMs) / DAY_MS) * DAY_MS + ownMs;
  const dueAtMs = when === 'now' ? lastMs : lastMs + DAY_MS;
  return { kind: 'time-zone', shopId, dueAtMs, name: 'shop', payload: {} };
}
