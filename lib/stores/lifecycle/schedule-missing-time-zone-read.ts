/**
 * Schedules the read of the time zone at the first request of a store that was installed before the installation read
 * it. Until then, the store's days are those of UTC (`timeZoneOf`).
 */
import type { Actor } from '../../credentials/actor.ts';
import type { WithActor } from '../../credentials/verify-credential.ts';
import { createLruCache } from '../../domain/lru-cache.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { HandlerStep } from '../../http/exchange.ts';
import type { Table } from '../../storage/table.ts';

const MAX_REMEMBERED_STORES = 5_000;

/** Schedules the read for the request's store, once per store and container. A failure does not fail the request. */
export function scheduleMissingTimeZoneRead<A extends Actor>(deps: {
  readonly table: Table;
  readonly now: () => number;
}): HandlerStep<WithActor<A>> {
  const scheduledAtMsByStore = createLruCache<ShopId, number>(MAX_REMEMBERED_STORES);
  return {
    name: 'scheduleMissingTimeZoneRead',
    before: ({ event: { exchange } }) => {
      const { shopId, timeZone } = exchange.actor.store;
      const isScheduled = timeZone !== undefined || scheduledAtMsByStore.get(shopId) !== undefined;
      return isScheduled ? undefined : scheduleRead(shopId);
    },
  };

  async function scheduleRead(shopId: ShopId): Promise<void> {
    scheduledAtMsByStore.set(shopId, deps.now());
    try {
      // Loaded on demand, because few stores lack a time zone.
      const { scheduleTimeZoneRead } = await import('./schedule-time-zone-read.ts');
      await scheduleTimeZoneRead(deps, shopId, 'now');
    } catch (error) {
      scheduledAtMsByStore.delete(shopId);
      if (!(error instanceof ServiceError)) throw error;
    }
  }
}
