/**
 * Caches the platform's published sign-in documents for 10 minutes, and up to an hour while the platform does not
 * respond. Their number is limited, so that any number of stores cannot exhaust the memory.
 */
import { LRUCache } from 'lru-cache';

const MINUTE_MS = 60_000;
const DOCUMENT_FRESH_MS = 10 * MINUTE_MS;
const MAX_DOCUMENT_STALE_MS = 60 * MINUTE_MS;
const MAX_CACHED_DOCUMENTS = 1_000;

type LoadDocument<T> = () => Promise<T>;

export type PublishedDocumentCache<T> = {
  /**
   * Returns the document of a key, cached or loaded now. Rejects as `load` does if no cached document is recent
   * enough.
   */
  get(key: string, load: LoadDocument<T>): Promise<T>;
  /**
   * Loads the document now. Rejects as `load` does.
   * @returns undefined when it was loaded less than `minAgeMs` ago
   */
  reload(key: string, load: LoadDocument<T>, minAgeMs: number): Promise<T | undefined>;
};

/** Creates an empty cache. */
export function createPublishedDocumentCache<T extends object | string>(
  now: () => number,
): PublishedDocumentCache<T> {
  const documents = new LRUCache<string, T, LoadDocument<T>>({
    // Memory is allocated as documents are added: `max` would allocate it for all of them at each cold start.
    maxSize: MAX_CACHED_DOCUMENTS,
    sizeCalculation: () => 1,
    ttl: DOCUMENT_FRESH_MS,
    ttlResolution: 0,
    perf: { now },
    noDeleteOnFetchRejection: true,
    fetchMethod: (_key, _cached, { context: load }) => load(),
  });
  const ageMs = (key: string) =>
    documents.peek(key, { allowStale: true }) === undefined
      ? Infinity
      : DOCUMENT_FRESH_MS - documents.getRemainingTTL(key);
  return {
    get: (key, load) =>
      documents.forceFetch(key, {
        context: load,
        allowStaleOnFetchRejection: ageMs(key) < MAX_DOCUMENT_STALE_MS,
      }),
    reload: async (key, load, minAgeMs) =>
      ageMs(key) < minAgeMs ? undefined : documents.forceFetch(key, { context: load, forceRefresh: true }),
  };
}
