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
 * Returns the intents without entries: their changes may be in progress. The entry of a creation is at the contract
 * that it created.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function readIntentsWithoutEntry(
  table: Pick<Table, 'query'>,
  intents: readonly OpenIntent[],
): Promise<readonly OpenIntent[]> {
  const contractIntents = intents.filter(({ isPlace }) => !isPlace);
  const intentsByContract = Map.groupBy(contractIntents, ({ made, contract }) => made ?? contract);
  const enteredNumbers = new Set<string>();
  for (const [contract, [first, ...others]] of intentsByContract) {
    if (first === undefined) continue;
    const fromMs = Math.min(...[first, ...others].map(({ createdAtMs }) => createdAtMs));
    const recentEntries = await readEntriesStartedSince(table, { shopId: first.shopId, contract }, fromMs);
    for (const eventRecord of recentEntries) enteredNumbers.add(eventRecord.id);
  }
  return contractIntents.filter(({ id }) => !enteredNumbers.has(id));
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
 * Reads the other changes of an intent's contract; `intents` are all its open ones. `isEntered`: the intent has an entry
 * in the meantime.
 * @throws TEMPORARILY_UNAVAILABLE
 */
export async function readOtherChanges(
  { table }: { readonly table: Table },
  intents: readonly OpenIntent[],
  intent: OpenIntent,
): Promise<OtherChanges & { readonly isEntered: boolean }> {
  const { number } = intent;
  const nearEntries = await readEntriesStartedSince(
    table,
    intent,
    intent.createdAtMs - MAX_INTENT_IN_FLIGHT_MS,
  );
  const doneEntries = nearEntries.filter(({ outcome }) => outcome === 'DONE');
  const laterIntents = intents.filter((other) => other.number > number);
  const laterChanges = [...doneEntries.filter((entry) => entry.number > number), ...laterIntents];
  return {
    isEntered: nearEntries.some((entry) => entry.id === intent.id),
    // The entry of an earlier change in the same millisecond may have the intent's number.
    earlier: doneEntries.filter((entry) => entry.number <= number),
    later: laterChanges.sort((a, b) => (a.number < b.number ? -1 : 1)),
  };
}
