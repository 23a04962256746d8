/**
 * A scan of the whole table, for operators and for the search after an erasure. Functions that serve requests do not
 * scan.
 */
import type { Item, ItemKey, WriteCondition } from './table.ts';

type ScanPage = { readonly items: readonly Item[]; readonly nextKey: ItemKey | undefined };
type ScanFilter = Omit<WriteCondition, 'condition'> & { readonly filter: string };

/** Reads one page of the items that match the filter, with a consistent read, starting after `startKey`. */
export type ScanTable = (filter: ScanFilter, startKey?: ItemKey) => Promise<ScanPage>;

/** Yields all items that match the filter, page by page. */
export async function* scanAllPages(scan: ScanTable, filter: ScanFilter): AsyncGenerator<Item> {
  let startKey: ItemKey | undefined;
  do {
    const page = await scan(filter, startKey);
    yield* page.items;
    startKey = page.nextKey;
  } while (startKey !== undefined);
}
