/**
 * Schedules the daily read of a store's time zone, at a time of day that depends on the store's id. A store has one due
 * item per day, so scheduling it several times causes one read.
 */
import type { ShopId } from '../../domain/shop-id.ts';
import { createScheduledTaskRepository, type ScheduledTask } from '../../storage/scheduled-tasks.ts';
import type { Table } from '../../storage/table.ts';

const DAY_MS = 86_400_000;

type Deps = { readonly table: Table; readonly now: () => number };

/**
 * Schedules the read: with `now` for the next run of the scheduled work, else within 24 hours.
 * @throws TEMPORARILY_UNAVAILABLE when the table cannot be written
 */
export async function scheduleTimeZoneRead(
  deps: Deps,
  shopId: ShopId,
  when: 'now' | 'within a day',
): Promise<void> {
  await createScheduledTaskRepository(deps).put(toTimeZoneScheduledTask(shopId, deps.now(), when));
}

/** Returns the scheduled task at the store's time of day: the last such time with `now`, else the next one. */
function toTimeZoneScheduledTask(shopId: ShopId, nowMs: number, when: 'now' | 'within a day'): ScheduledTask {
  const storeTimeOfDayMs = shopId % DAY_MS;
  const lastOccurrenceMs = Math.floor((nowMs - storeTimeOfDayMs) / DAY_MS) * DAY_MS + storeTimeOfDayMs;
  const dueAtMs = when === 'now' ? lastOccurrenceMs : lastOccurrenceMs + DAY_MS;
  return { kind: 'time-zone', shopId, dueAtMs, name: 'shop', payload: {} };
}
