/** Reads the recent changes of a contract: entries, and intents without entries. */
import type { Table } from '../../storage/table.ts';
import {
  type EventRecord,
  formatEventNumber,
  HIGHEST_EVENT_NUMBER,
  type TimelineRef,
  timelinePartition,
  toEventRecord,
} from '../event-record.ts';
import { MAX_INTENT_IN_FLIGHT_MS, type OpenIntent } from '../intent.ts';
import type { OtherChanges } from './finish-change.ts';

/**
 * Returns those of the intents that have no entries: their changes may be in progress. The entry of a contract's creation is
 * in the timeline of the created contract.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function readIntentsWithoutEntry(
  table: Pick<Table, 'query'>,
  intents: readonly OpenIntent[],
): Promise<readonly OpenIntent[]> {
  const contractIntents = intents.filter(({ isPlace }) => !isPlace);
  const intentsByContract = Map.groupBy(contractIntents, ({ made, contract }) => made ?? contract);
  const recordedIds = new Set<string>();
  for (const [contract, [firstIntent, ...otherIntents]] of intentsByContract) {
    if (firstIntent === undefined) continue;
    const fromMs = Math.min(...[firstIntent, ...otherIntents].map(({ createdAtMs }) => createdAtMs));
    const recentEntries = await readEntriesStartedSince(
      table,
      { shopId: firstIntent.shopId, contract },
      fromMs,
    );
    for (const eventRecord of recentEntries) recordedIds.add(eventRecord.id);
  }
  return contractIntents.filter(({ id }) => !recordedIds.has(id));
}

/** Reads the entries of changes that started at `fromMs` or later, oldest first, with a consistent read. */
async function readEntriesStartedSince(
  table: Pick<Table, 'query'>,
  ref: TimelineRef,
  fromMs: number,
): Promise<EventRecord[]> {
  const lowestNumber = formatEventNumber({ createdAtMs: fromMs, sequence: 0, contract: undefined });
  const { items } = await table.query({
    keyCondition: 'pk = :pk AND sk BETWEEN :lowest AND :highest',
    values: { ':pk': timelinePartition(ref), ':lowest': lowestNumber, ':highest': HIGHEST_EVENT_NUMBER },
    consistent: true,
  });
  return items.map(toEventRecord);
}

/**
 * Reads the other recent changes of an intent's contract. `intents`: all open intents of the contract. `isRecorded` in the
 * result: the intent has got its entry in the meantime.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function readOtherChanges(
  { table }: { readonly table: Table },
  intents: readonly OpenIntent[],
  intent: OpenIntent,
): Promise<OtherChanges & { readonly isRecorded: boolean }> {
  const { number } = intent;
  const recentEntries = await readEntriesStartedSince(
    table,
    intent,
    intent.createdAtMs - MAX_INTENT_IN_FLIGHT_MS,
  );
  const doneEntries = recentEntries.filter(({ outcome }) => outcome === 'DONE');
  const laterIntents = intents.filter((other) => other.number > number);
  const laterChanges = [...doneEntries.filter((entry) => entry.number > number), ...laterIntents];
  return {
    isRecorded: recentEntries.some((entry) => entry.id === intent.id),
    // The entry of an earlier change in the same millisecond may have the intent's number.
    earlierChanges: doneEntries.filter((entry) => entry.number <= number),
    laterChanges: laterChanges.sort((a, b) => (a.number < b.number ? -1 : 1)),
  };
}
