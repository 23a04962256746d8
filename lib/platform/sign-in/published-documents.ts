/**
 * Documents that the platform publishes about its sign-in are kept for 10 minutes, and up to an hour while the platform
 * cannot be asked. Their number is bounded, so that no stream of stores can fill the memory.
 */
import { LRUCache } from 'lru-cache';

const MINUTE_MS = 60_000;
const FRESH_MS = 10 * MINUTE_MS;
const STALE_MS = 60 * MINUTE_MS;
const MAX_DOCUMENTS = 1_000;

type Load<T> = () => Promise<T>;

export type PublishedDocuments<T> = {
  /** The document of a key, kept or loaded now. Rejects as `load` does if no document is young enough. */
  get(key: string, load: Load<T>): Promise<T>;
  /** The document loaded now; undefined if it was loaded less than `minAgeMs` ago. Rejects as `load` does. */
  reload(key: string, load: Load<T>, minAgeMs: number): Promise<T | undefined>;
};

/** No documents yet. */
export function createPublishedDocuments<T extends object | string>(
  now: () => number,
): PublishedDocuments<T> {
  const documents = new LRUCache<string, T, Load<T>>({
    // Memory is taken as documents come: `max` would take it for all of them at each cold start.
    maxSize: MAX_DOCUMENTS,
    sizeCalculation: () => 1,
    ttl: FRESH_MS,
    ttlResolution: 0,
    perf: { now },
    noDeleteOnFetchRejection: true,
    fetchMethod: (_key, _kept, { context: load }) => load(),
  });
  const ageMs = (key: string) =>
    documents.peek(key, { allowStale: true }) === undefined
      ? Infinity
      : FRESH_MS - documents.getRemainingTTL(key);
  return {
    get: (key, load) =>
      documents.forceFetch(key, { context: load, allowStaleOnFetchRejection: ageMs(key) < STALE_MS }),
    reload: async (key, load, minAgeMs) =>
      ageMs(key) < minAgeMs ? undefined : documents.forceFetch(key, { context: load, forceRefresh: true }),
  };
}
