/** Reads all pages of a query. */
import type { Item, QuerySelection, Table } from './table.ts';

/** Yields all items of the selection in order. `limit` is the size of a page: stop reading when there are enough. */
export async function* queryAllPages(
  table: Pick<Table, 'query'>,
  selection: QuerySelection,
): AsyncGenerator<Item> {
  let startKey: Item | undefined;
  do {
    const { items, nextKey } = await table.query({ ...selection, ...(startKey && { startKey }) });
    yield* items;
    startKey = nextKey;
  } while (startKey !== undefined);
}
