/**
 * A cache with a limited number of entries (LRU). It relies on `Map`, which keeps the order of insertion. The usual
 * library would add 19 KB to each cold start.
 */

/** A map that keeps the entries that were set or read most recently. */
export type LruCache<K, V> = {
  get(key: K): V | undefined;
  set(key: K, value: V): void;
  delete(key: K): void;
};

/** Creates an empty map for at most `maxEntries` entries. */
export function createLruCache<K extends string | number, V extends object | number>(
  maxEntries: number,
): LruCache<K, V> {
  const entries = new Map<K, V>();
  /** The key of the last entry in the map, if it still exists. */
  let newestKey: K | undefined;
  return {
    get(key) {
      // Fast path: most containers read the same key repeatedly.
      if (key === newestKey) return entries.get(key);
      const value = readAndRefreshLruEntry(entries, key);
      if (value !== undefined) newestKey = key;
      return value;
    },
    set(key, value) {
      entries.delete(key);
      entries.set(key, value);
      newestKey = key;
      // The first entry is the least recently used one.
      if (entries.size > maxEntries) entries.delete(entries.keys().next().value as K);
    },
    delete: (key) => void entries.delete(key),
  };
}

/** Returns the value and moves its entry to the end of the map. */
export function readAndRefreshLruEntry<K, V extends object | number>(
  entries: Map<K, V>,
  key: K,
): V | undefined {
  const value = entries.get(key);
  if (value === undefined) return undefined;
  entries.delete(key);
  entries.set(key, value);
  return value;
}
