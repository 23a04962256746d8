/**
 * Bounded caches of a container. A `Map` preserves the order of insertion, so a small implementation is enough; the
 * usual library would add 19 KB to each cold start.
 */

/** A map that holds the entries that were set or read last. */
export type RecentlyUsed<K, V> = {
  get(key: K): V | undefined;
  set(key: K, value: V): void;
  delete(key: K): void;
};

/** Creates an empty map with room for `maxEntries`. */
export function createRecentlyUsed<K extends string | number, V extends object | number>(
  maxEntries: number,
): RecentlyUsed<K, V> {
  const entries = new Map<K, V>();
  /** The key of the newest entry, if it still exists. */
  let newest: K | undefined;
  return {
    get(key) {
      // // Most containers read the same key repeatedly.
      if (key === newest) return entries.get(key);
      const value = readLast(entries, key);
      if (value !== undefined) newest = key;
      return value;
    },
    set(key, value) {
      entries.delete(key);
      entries.set(key, value);
      newest = key;
      // // The least recently used entry is first.
      if (entries.size > maxEntries) entries.delete(entries.keys().next().value as K);
    },
    delete: (key) => void entries.delete(key),
  };
}

/** Returns the entry's value and moves the entry to the end of the map. */
export function readLast<K, V extends object | number>(entries: Map<K, V>, key: K): V | undefined {
  const value = entries.get(key);
  if (value === undefined) return undefined;
  entries.delete(key);
  entries.set(key, value);
  return value;
}
