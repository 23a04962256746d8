/** The entries of many intents, a hundred with one request of the table. */
import type { ItemKey, Table } from '../../storage/table.ts';
import { type Entry, findEntry } from '../end-intent.ts';
import { type EventNumber, formatEventNumber, parseEventNumber } from '../event-number.ts';
import { eventKey, toEventRecord } from '../event-record.ts';
import type { OpenIntent } from '../open-intent.ts';

type Deps = { readonly table: Pick<Table, 'batchGet' | 'query'> };

/** So many items are read by one request. */
const AT_ONCE = 100;

/** The entry of each intent; undefined: there is none yet. Consistently read. TEMPORARILY_UNAVAILABLE. */
export async function findEntries(
  deps: Deps,
  intents: readonly OpenIntent[],
): Promise<(Entry | undefined)[]> {
  const entries: (Entry | undefined)[] = [];
  for (let from = 0; from < intents.length; from += AT_ONCE) {
    entries.push(...(await findSome(deps, intents.slice(from, from + AT_ONCE))));
  }
  return entries;
}

async function findSome(deps: Deps, intents: readonly OpenIntent[]): Promise<(Entry | undefined)[]> {
  const keys = intents.map(keyOf);
  const distinct = [...new Map(keys.map((key) => [textOf(key), key])).values()];
  const items = await deps.table.batchGet(distinct);
  const byKey = new Map(distinct.map((key, index) => [textOf(key), items[index]]));
  const entries: (Entry | undefined)[] = [];
  for (const [index, intent] of intents.entries()) {
    const item = byKey.get(textOf(keys[index] as ItemKey));
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

function textOf({ pk, sk }: ItemKey): string {
  return `${pk} ${sk}`;
}
