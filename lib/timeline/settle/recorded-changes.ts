/** Reads what was recorded of a contract lately: entries, and intents that have none. */
import type { Table } from '../../storage/table.ts';
import { formatEventNumber, HIGHEST } from '../event-number.ts';
import { type EventRecord, type TimelineRef, timelinePartition, toEventRecord } from '../event-record.ts';
import type { OpenIntent } from '../open-intent.ts';

/** Those of a contract's intents whose changes may be under way: they have no entries. TEMPORARILY_UNAVAILABLE. */
export async function stillOpen(
  table: Pick<Table, 'query'>,
  intents: readonly OpenIntent[],
): Promise<readonly OpenIntent[]> {
  const open = intents.filter(({ isPlace }) => !isPlace);
  const [first] = open;
  if (first === undefined) return [];
  const entries = await entriesBegunSince(
    table,
    first,
    Math.min(...open.map(({ createdAtMs }) => createdAtMs)),
  );
  const entered = new Set(entries.map((entry) => (entry as Partial<OpenIntent>).id));
  return open.filter(({ id }) => !entered.has(id));
}

/** Entries of a contract that were begun then or later, oldest first, consistently read. TEMPORARILY_UNAVAILABLE. */
export async function entriesBegunSince(
  table: Pick<Table, 'query'>,
  ref: TimelineRef,
  fromMs: number,
): Promise<EventRecord[]> {
  const lowest = formatEventNumber({ createdAtMs: fromMs, sequence: 0, contract: undefined });
  const { items } = await table.query({
    keyCondition: 'pk = :pk AND sk BETWEEN :lowest AND :highest',
    values: { ':pk': timelinePartition(ref), ':lowest': lowest, ':highest': HIGHEST },
    consistent: true,
  });
  return items.map(toEventRecord);
}
