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
import { IN_FLIGHT_MS, type OpenIntent } from '../intent.ts';
import type { OtherChanges } from './finish-change.ts';

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
async function entriesStartedSince(
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

/** `intents`: all that are open of the contract. `isEntered`: the intent has its entry by now. TEMPORARILY_UNAVAILABLE. */
export async function readOthers(
  { table }: { readonly table: Table },
  intents: readonly OpenIntent[],
  intent: OpenIntent,
): Promise<OtherChanges & { readonly isEntered: boolean }> {
  const { number } = intent;
  const near = await entriesStartedSince(table, intent, intent.createdAtMs - IN_FLIGHT_MS);
  const entries = near.filter(({ outcome }) => outcome === 'DONE');
  const open = intents.filter((other) => other.number > number);
  const later = [...entries.filter((entry) => entry.number > number), ...open];
  return {
    isEntered: near.some((entry) => (entry as Partial<OpenIntent>).id === intent.id),
    // Within a millisecond the entry of a change before it may have its number.
    earlier: entries.filter((entry) => entry.number <= number),
    later: later.sort((a, b) => (a.number < b.number ? -1 : 1)),
  };
}
