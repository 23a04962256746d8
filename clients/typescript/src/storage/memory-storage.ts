/** For tests, and for servers that sign nobody in for longer than they run. */
import type { Storage } from './storage.ts';

export function createMemoryStorage(): Storage {
  const texts = new Map<string, string>();
  return {
    get: (key) => texts.get(key) ?? null,
    set: (key, text) => void texts.set(key, text),
    remove: (key) => void texts.delete(key),
  };
}
