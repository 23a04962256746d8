/**
 * `localStorage` of a browser, which all tabs of an origin share. Scripts of the page can read it: allow only your own
 * scripts.
 */
import type { Storage } from './storage.ts';

type LocalStorage = {
  getItem(key: string): string | null;
  setItem(key: string, text: string): void;
  removeItem(key: string): void;
};
export type WebWindow = {
  readonly localStorage: LocalStorage;
  addEventListener(name: 'storage', changed: () => void): void;
  removeEventListener(name: 'storage', changed: () => void): void;
};

/**
 * Creates the storage. It reads `localStorage` at each use, because the property itself throws in a browser that blocks
 * storage.
 */
export function createWebStorage(window = globalThis as unknown as WebWindow): Storage {
  return {
    get: (key) => window.localStorage.getItem(key),
    set: (key, text) => window.localStorage.setItem(key, text),
    remove: (key) => window.localStorage.removeItem(key),
    watch(changed) {
      window.addEventListener('storage', changed);
      return () => window.removeEventListener('storage', changed);
    },
  };
}
