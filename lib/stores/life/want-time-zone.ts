/**
 * A store that was installed before its time zone was read at install: its first request has the scheduled work read
 * it, and every day from then on. Until then days are those of UTC (timeZoneOf).
 */
import type { Actor } from '../../credentials/actor.ts';
import type { Verified } from '../../credentials/verify-credential.ts';
import type { ShopId } from '../../domain/shop-id.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Step } from '../../http/exchange.ts';
import type { Table } from '../../storage/table.ts';
import { noteZoneReading } from './note-zone-reading.ts';

/** No request fails for it, and a container notes a store once. */
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
        await noteZoneReading(deps, shopId, 'now');
        noted.add(shopId);
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
      }
    },
  };
}
