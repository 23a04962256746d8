/**
 * The storage of tokens: the Keychain, the Keystore, a browser's storage. This folder has adapters of the common ones.
 */

/** Plain values or promises. Each exception becomes STORAGE and keeps the session. */
export type Storage = {
  /** Null if nothing is stored. */
  get(key: string): string | null | Promise<string | null>;
  set(key: string, text: string): unknown;
  remove(key: string): unknown;
  /** Calls the listener when another tab has changed an entry, until the returned function is called. */
  watch?(changed: () => void): () => void;
};
