/** Reads what was recorded of a contract lately: entries, and intents that have none. */
import type { Table } from '../../storage/table.ts';
import {
  type EventRecord,
  formatEventNumber,
  HIGHEST,
  type TimelineRef,
  timelinePartition,
  toEventRecord,
} from '../event-record.ts';
import type { OpenIntent } from '../intent.ts';

/**
 * Those of a contract's intents whose changes may be under way: they have no entries. The entry of a creation lies at the
 * contract that it made. TEMPORARILY_UNAVAILABLE.
 */
export async function stillOpen(
  table: Pick<Table, 'query'>,
  intents: readonly OpenIntent[],
): Promise<readonly OpenIntent[]> {
  const open = intents.filter(({ isPlace }) => !isPlace);
  const byPlace = Map.groupBy(open, ({ made, contract }) => made ?? contract);
  const entered = new Set<string | undefined>();
  for (const [contract, [first, ...others]] of byPlace) {
    if (first === undefined) continue;
    const fromMs = Math.min(...[first, ...others].map(({ createdAtMs }) => createdAtMs));
    const entries = await entriesStartedSince(table, { shopId: first.shopId, contract }, fromMs);
    for (const entry of entries) entered.add((entry as Partial<OpenIntent>).id);
  }
  return open.filter(({ id }) => !entered.has(id));
}

/** Entries of a contract that were begun then or later, oldest first, consistently read. TEMPORARILY_UNAVAILABLE. */
export async function entriesStartedSince(
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
