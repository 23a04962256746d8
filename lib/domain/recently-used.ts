/**
 * A container remembers a bounded number of stores, customers and documents of each kind. LRUCache's own `max` would take
 * the memory for all of them at each cold start; here it is taken as they come.
 */
import { LRUCache } from 'lru-cache';

/** A map that keeps the `maxEntries` that were set or read last. */
export function createRecentlyUsed<K extends string | number, V extends object | number>(
  maxEntries: number,
): LRUCache<K, V> {
  return new LRUCache<K, V>({ maxSize: maxEntries, sizeCalculation: () => 1 });
}
