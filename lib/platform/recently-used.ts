/**
 * What a container remembers of stores, customers and documents: a bounded number of each. Memory is taken as they
 * come, for `max` of LRUCache makes place for all of them, at each cold start.
 */
import { LRUCache } from 'lru-cache';

/** A map that keeps the `maxEntries` that were set or read last. */
export function createRecentlyUsed<K extends string | number, V extends object | number>(
  maxEntries: number,
): LRUCache<K, V> {
  return new LRUCache<K, V>({ maxSize: maxEntries, sizeCalculation: () => 1 });
}
