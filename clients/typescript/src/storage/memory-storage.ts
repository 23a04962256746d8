/** The storage without a device. */
import type { Storage } from './storage.ts';

/** Stores the tokens in memory: for tests, and for servers whose sessions last no longer than the process. */
export function createMemoryStorage(): Storage {
  const texts = new Map<string, string>();
  return {
    get: (key) => texts.get(key) ?? null,
    set: (key, text) => void texts.set(key, text),
    remove: (key) => void texts.delete(key),
  };
}
