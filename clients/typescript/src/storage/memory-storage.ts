/** The storage without a device. */
import type { Storage } from './storage.ts';

/** Stores the tokens in memory: for tests, and for servers whose sessions last no longer than the process. */
export function createMemoryStorage(): Storage {
  const textByKey = new Map<string, string>();
  return {
    get: (key) => textByKey.get(key) ?? null,
    set: (key, text) => void textByKey.set(key, text),
    remove: (key) => void textByKey.delete(key),
  };
}
