/** What an intent is judged beside: the other changes of its contract, made or still open. */
import type { Table } from '../../storage/table.ts';
import { IN_FLIGHT_MS, type OpenIntent } from '../intent.ts';
import type { OtherChanges } from './finish-change.ts';
import { entriesStartedSince } from './recorded-changes.ts';

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
