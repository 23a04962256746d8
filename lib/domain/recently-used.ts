/**
 * A container remembers a bounded number of stores, customers and documents of each kind. A `Map` keeps its entries in
 * the order in which they were put, so a few lines do it; the library for more is 19 KB of each cold start.
 */

/** A map that keeps the entries that were set or read last. */
export type RecentlyUsed<K, V> = {
  get(key: K): V | undefined;
  set(key: K, value: V): void;
  delete(key: K): void;
};

/** An empty one for `maxEntries`. */
export function createRecentlyUsed<K extends string | number, V extends object | number>(
  maxEntries: number,
): RecentlyUsed<K, V> {
  const entries = new Map<K, V>();
  /** The key of the last entry, if that is still there. */
  let newest: K | undefined;
  return {
    get(key) {
      // Most containers ask for one key again and again.
      if (key === newest) return entries.get(key);
      const value = readLast(entries, key);
      if (value !== undefined) newest = key;
      return value;
    },
    set(key, value) {
      entries.delete(key);
      entries.set(key, value);
      newest = key;
      // The oldest use comes first.
      if (entries.size > maxEntries) entries.delete(entries.keys().next().value as K);
    },
    delete: (key) => void entries.delete(key),
  };
}

/** The entry's value; the entry becomes the last of the map. */
export function readLast<K, V extends object | number>(entries: Map<K, V>, key: K): V | undefined {
  const value = entries.get(key);
  if (value === undefined) return undefined;
  entries.delete(key);
  entries.set(key, value);
  return value;
}
