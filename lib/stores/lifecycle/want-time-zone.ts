/**
 * Stores that were installed before an install read the time zone: the first request of one has the scheduled work read
 * the zone, then and every day. Until then days are those of UTC (timeZoneOf).
 */
import type { Actor } from '../../credentials/actor.ts';
import type { Verified } from '../../credentials/verify-credential.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Step } from '../../http/exchange.ts';
import type { Table } from '../../storage/table.ts';
import { recordZoneReading } from './record-zone-reading.ts';

/**
 * Notes that the zone of the request's store is to be read. No request fails for it, and a container notes a store
 * once.
 */
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
