/** The placing of a container, over a table of its own, that wakes nobody. */
import { createPlacing, type PlaceInStream } from '../lib/storage/stream/place-in-stream.ts';
import type { Table } from '../lib/storage/table.ts';

export function placingOver({
  table,
  now,
}: {
  readonly table: Table;
  readonly now: () => number;
}): PlaceInStream {
  return createPlacing({ table, now, wake: async () => undefined, backOff: async () => undefined });
}
