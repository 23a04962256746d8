/**
 * The storage of a web page that signs customers in. A sign-in in progress is in `sessionStorage`: only the tab that
 * started the sign-in can complete it. The session is in `localStorage`, which all tabs share: a browser copies
 * `sessionStorage` into a duplicated tab, and a refresh token that two tabs use looks stolen.
 *
 * Scripts of the page can read both: allow only your own scripts.
 */
import type { Storage } from './storage.ts';
import { createWebStorage, type WebWindow } from './web-storage.ts';

type PageWindow = WebWindow & { readonly sessionStorage: WebWindow['localStorage'] };

/** The end of the key under which the client stores sign-ins in progress. */
const SIGN_INS_KEY_SUFFIX = '.signIns';

/** Creates the storage of a web page. It looks up the browser's storages at each use, as `createWebStorage` does. */
export function createPageStorage(window = globalThis as unknown as PageWindow): Storage {
  const sharedStorage = createWebStorage(window);
  const isStoredInTab = (key: string) => key.endsWith(SIGN_INS_KEY_SUFFIX);
  return {
    ...sharedStorage,
    get: (key) => (isStoredInTab(key) ? window.sessionStorage.getItem(key) : sharedStorage.get(key)),
    set: (key, text) =>
      isStoredInTab(key) ? window.sessionStorage.setItem(key, text) : sharedStorage.set(key, text),
    remove: (key) => (isStoredInTab(key) ? window.sessionStorage.removeItem(key) : sharedStorage.remove(key)),
  };
}
