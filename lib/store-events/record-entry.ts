/**
 * Records a charge that the service has not made: an entry of the timeline, and its item in the queue of the append step. Its id is
 * the same whenever it is recorded, so it is one entry, however often that is.
 */
import type { DueItems } from '../storage/due-items.ts';
import type { Table } from '../storage/table.ts';
import type { Entry } from '../timeline/end-intent.ts';
import { formatEventNumber, MAX_SEQUENCE, parseEventNumber } from '../timeline/event-number.ts';
import { toEventItem } from '../timeline/event-record.ts';
import { reserveStreamOrder } from '../timeline/open-intent.ts';

export type RecordDeps = {
  readonly table: Pick<Table, 'put'>;
  readonly dueItems: Pick<DueItems, 'put'>;
};

/** Records it, perhaps once more. TEMPORARILY_UNAVAILABLE: perhaps it is recorded. */
export async function recordEntry({ table, dueItems }: RecordDeps, entry: Entry): Promise<void> {
  await reserveStreamOrder(dueItems, entry);
  let sequence = parseEventNumber(entry.number)?.sequence ?? 0;
  for (; sequence <= MAX_SEQUENCE; sequence++) {
    const numbered = { ...entry, number: formatEventNumber({ ...entry, sequence }) };
    const own = { condition: 'attribute_not_exists(pk) OR id = :id', values: { ':id': entry.id } };
    if ((await table.put(toEventItem(numbered), own)) === 'done') return;
  }
  throw new Error('all numbers of this millisecond are taken');
}
