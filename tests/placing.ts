/** What the worker that delivers does before it delivers, over any table. */
import type { DueItem } from '../lib/storage/due-items.ts';
import { createDueItems } from '../lib/storage/due-items.ts';
import type { StoreRecord } from '../lib/storage/stores.ts';
import { createPlacing, type PlaceInStream } from '../lib/storage/stream/place-in-stream.ts';
import type { Table } from '../lib/storage/table.ts';
import { takePlacerLease } from '../lib/storage/wakes/placer-lease.ts';
import { toOpenIntent } from '../lib/timeline/open-intent.ts';
import { findEntries } from '../lib/timeline/settle/find-entries.ts';
import { type PlaceDeps, placeEntered } from '../lib/timeline/settle/place-entered.ts';
import { tableOf } from './rights/guarded-table.ts';

type Over = { readonly table: Table; readonly now: () => number };

/** The placing of a container, over a table of its own, that wakes nobody. */
export function placingOver({ table, now }: Over): PlaceInStream {
  return createPlacing({ table, now, wake: async () => undefined, backOff: async () => undefined });
}

/** The worker's parts with its rights, for stores that are all installed; it wakes nobody. */
export function placerOver({ table: unguarded, now }: Over): PlaceDeps {
  const table = tableOf('webhook-deliveries', unguarded);
  return {
    ...{ table, now, dueItems: createDueItems({ table, now }), placeInStream: placingOver({ table, now }) },
    stores: { find: async () => ({ status: 'installed' }) as StoreRecord },
    wakeDelivery: async () => undefined,
    takeLease: () => takePlacerLease({ table, now, newId: () => crypto.randomUUID() }),
    logger: { error: () => undefined },
  };
}

/** One run of the worker: how many were placed. */
export function placeNow(over: Over, endAtMs = Number.POSITIVE_INFINITY): Promise<number> {
  return placeEntered(placerOver(over), endAtMs);
}

/** Those whose changes are not settled: they have no entries. */
export async function unsettled(table: Table, items: readonly DueItem[]): Promise<DueItem[]> {
  const entries = await findEntries({ table }, items.map(toOpenIntent));
  return items.filter((_, index) => entries[index] === undefined);
}
