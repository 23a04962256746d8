/**
 * The scheduled work reads a store's time zone once a day, each store at a moment of its own. A store has one place a
 * day, so however often it is noted, it is read once.
 */
import type { ShopId } from '../../domain/shop-id.ts';
import { createDueItems, type DueItem } from '../../storage/due-items.ts';
import type { Table } from '../../storage/table.ts';

const DAY_MS = 86_400_000;

type Deps = { readonly table: Table; readonly now: () => number };

/** Notes that the zone is to be read: `now`, by the next run, or within a day from now. TEMPORARILY_UNAVAILABLE. */
export async function recordZoneReading(
  deps: Deps,
  shopId: ShopId,
  when: 'now' | 'within a day',
): Promise<void> {
  await createDueItems(deps).put(readingOf(shopId, deps.now(), when));
}

/** The store's last moment before now, or the first one after it. */
function readingOf(shopId: ShopId, nowMs: number, when: 'now' | 'within a day'): DueItem {
  const ownMs = shopId % DAY_MS;
  const lastMs = Math.floor((nowMs - ownMs) / DAY_MS) * DAY_MS + ownMs;
  const dueAtMs = when === 'now' ? lastMs : lastMs + DAY_MS;
  return { kind: 'time-zone', shopId, dueAtMs, name: 'shop', payload: {} };
}
