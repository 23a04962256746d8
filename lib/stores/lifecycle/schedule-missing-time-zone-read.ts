/**
 * Schedules the read of the time zone at the first request of a store that was installed before the installation read
 * it. Until then, the store's days are those of UTC (`timeZoneOf`).
 */
import type { Actor } from '../../credentials/actor.ts';
import type { Verified } from '../../credentials/verify-credential.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Step } from '../../http/exchange.ts';
import type { Table } from '../../storage/table.ts';
import { scheduleTimeZoneRead } from './schedule-time-zone-read.ts';

/** Schedules the read for the request's store, once per store and container. A failure does not fail the request. */
export function scheduleMissingTimeZoneRead<A extends Actor>(deps: {
  readonly table: Table;
  readonly now: () => number;
}): Step<Verified<A>> {
  const noted = new Set<ShopId>();
  return {
    name: 'scheduleMissingTimeZoneRead',
    before: async ({ event: { exchange } }) => {
      const { shopId, timeZone } = exchange.actor.store;
      if (timeZone !== undefined || noted.has(shopId)) return;
      try {
        await scheduleTimeZoneRead(deps, shopId, 'now');
        noted.add(shopId);
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
      }
    },
  };
}
