/**
 * Schedules the reading of a time zone for stores that were installed before the installation read it, at their first
 * request. Until then their days are those of UTC (timeZoneOf).
 */
import type { Actor } from '../../credentials/actor.ts';
import type { Verified } from '../../credentials/verify-credential.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Step } from '../../http/exchange.ts';
import type { Table } from '../../storage/table.ts';
import { recordZoneReading } from './record-zone-reading.ts';

/**
 * Schedules the reading for the request's store. It does not fail the request, and a container schedules it once per
 * store.
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
