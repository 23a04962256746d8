/** A storage for tests, and for servers whose sessions last no longer than the process. */
import type { Storage } from './storage.ts';

export function createMemoryStorage(): Storage {
  const texts = new Map<string, string>();
  return {
    get: (key) => texts.get(key) ?? null,
    set: (key, text) => void texts.set(key, text),
    remove: (key) => void texts.delete(key),
  };
}
