/** Orders a list by a key, then by id, so that pages are the same every time. */

/** A sorted copy. Keys are compared as numbers or as text. */
export function sortByKey<Item extends { id: number }>(
  items: Iterable<Item>,
  keyOf: (item: Item) => string | number,
): Item[] {
  return [...items].sort((a, b) => {
    const left = keyOf(a);
    const right = keyOf(b);
    if (left === right) return a.id - b.id;
    return left < right ? -1 : 1;
  });
}
