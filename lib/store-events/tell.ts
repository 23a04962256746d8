/**
 * What happened elsewhere is told: an entry of the timeline, for which its place in the store's stream is held; or an event,
 * which is placed at once. All have an id that is the same whenever they are told, so they are one, however often that is.
 */
import type { DueItems } from '../storage/due-items.ts';
import type { PlaceInStream } from '../storage/stream/place-in-stream.ts';
import type { Placing } from '../storage/stream/stream-record.ts';
import type { Table } from '../storage/table.ts';
import type { Entry } from '../timeline/end-intent.ts';
import { formatEventNumber, MAX_SEQUENCE, parseEventNumber } from '../timeline/event-number.ts';
import { toEventItem } from '../timeline/event-record.ts';
import { holdPlace } from '../timeline/open-intent.ts';

/** An entry, or an event that no entry tells. */
export type Telling = { readonly entry: Entry } | { readonly event: Placing };

export type TellDeps = {
  readonly table: Pick<Table, 'put'>;
  readonly dueItems: Pick<DueItems, 'put'>;
  readonly placeInStream: PlaceInStream;
};

/** Tells it, perhaps once more. TEMPORARILY_UNAVAILABLE: perhaps it is told. */
export async function tell(deps: TellDeps, telling: Telling): Promise<void> {
  if ('event' in telling) return deps.placeInStream(telling.event);
  await holdPlace(deps.dueItems, telling.entry);
  await enter(deps, telling.entry);
}

/** Holds the places of entries that are told next: no younger one goes before them. TEMPORARILY_UNAVAILABLE. */
export async function holdPlaces({ dueItems }: TellDeps, entries: readonly Entry[]): Promise<void> {
  for (const entry of entries) await holdPlace(dueItems, entry);
}

/** Writes the entry under its number, or under the next that is free. */
async function enter({ table }: TellDeps, entry: Entry): Promise<void> {
  let sequence = parseEventNumber(entry.number)?.sequence ?? 0;
  for (; sequence <= MAX_SEQUENCE; sequence++) {
    const numbered = { ...entry, number: formatEventNumber({ ...entry, sequence }) };
    const own = { condition: 'attribute_not_exists(pk) OR id = :id', values: { ':id': entry.id } };
    if ((await table.put(toEventItem(numbered), own)) === 'done') return;
  }
  throw new Error('all numbers of this millisecond are taken');
}
