/** The entries of many intents. */
import type { ItemKey, Table } from '../../storage/table.ts';
import { type Entry, findEntry } from '../end-intent.ts';
import { type EventNumber, formatEventNumber, parseEventNumber } from '../event-number.ts';
import { eventKey, toEventRecord } from '../event-record.ts';
import type { OpenIntent } from '../open-intent.ts';

type Deps = { readonly table: Pick<Table, 'batchGet' | 'query'> };

/** The entry of each intent; undefined: there is none yet. Consistently read. TEMPORARILY_UNAVAILABLE. */
export async function findEntries(
  deps: Deps,
  intents: readonly OpenIntent[],
): Promise<(Entry | undefined)[]> {
  const items = await deps.table.batchGet(intents.map(keyOf));
  const entries: (Entry | undefined)[] = [];
  for (const [index, intent] of intents.entries()) {
    const item = items[index];
    // Nothing of a timeline goes, so an entry passes over a number for another's alone.
    const isAnothers = item !== undefined && item.id !== intent.id;
    entries.push(
      isAnothers ? await findEntry(deps, placeOf(intent)) : item && (toEventRecord(item) as Entry),
    );
  }
  return entries;
}

function placeOf(intent: OpenIntent): OpenIntent {
  return { ...intent, contract: intent.made ?? intent.contract };
}

/** Where the entry is, unless another has its number. */
function keyOf(intent: OpenIntent): ItemKey {
  const { shopId, contract, createdAtMs } = placeOf(intent);
  const sequence = parseEventNumber(intent.number)?.sequence ?? 0;
  const number: EventNumber = formatEventNumber({ createdAtMs, sequence, contract });
  return eventKey({ shopId, contract, number });
}
