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
import { recordZoneReading } from './record-zone-reading.ts';

/** Schedules the read for the request's store, once per store and container. A failure does not fail the request. */
export function wantTimeZone<A extends Actor>(deps: {
  readonly table: Table;
  readonly now: () => number;
}): Step<Verified<A>> {
  const noted = new Set<ShopId>();
  return {
    name: 'wantTimeZone',
    before: async ({ event: { exchange } }) => {
      const { shopId, timeZone } = exchange.actor.store;
      if (timeZone !== undefined || noted.has(shopId)) return;
      try {
        await recordZoneReading(deps, shopId, 'now');
        noted.add(shopId);
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
      }
    },
  };
}
