/** Orders a list by a key, then by id, so that pages are the same every time. */

/** Returns a sorted copy. Keys are compared as numbers or as text. */
export function sortByKey<Item extends { id: number }>(
  items: Iterable<Item>,
  keyOf: (item: Item) => string | number,
): Item[] {
  const sortedItems = [...items];
  return isSorted(sortedItems, keyOf)
    ? sortedItems
    : sortedItems.sort((a, b) => {
        const left = keyOf(a);
        const right = keyOf(b);
        if (left === right) return a.id - b.id;
        return left < right ? -1 : 1;
      });
}

/** Most lists are already sorted, and for a hundred thousand items this check is faster than sorting. */
function isSorted<Item extends { id: number }>(
  items: readonly Item[],
  keyOf: (item: Item) => string | number,
): boolean {
  let [previousKey, previousId]: [string | number | undefined, number] = [undefined, 0];
  for (const item of items) {
    const key = keyOf(item);
    if (previousKey !== undefined && (key < previousKey || (key === previousKey && item.id < previousId)))
      return false;
    previousKey = key;
    previousId = item.id;
  }
  return true;
}
