/**
 * Where the client stores its tokens: the Keychain, the Keystore, a browser's storage. This folder has adapters for the
 * common ones.
 */

/**
 * The functions return values or promises. If one of them throws, the client's call fails with the code STORAGE, and the
 * session stays signed in.
 */
export type Storage = {
  /** Returns null if nothing is stored under the key. */
  get(key: string): string | null | Promise<string | null>;
  /** Stores the text under the key. */
  set(key: string, text: string): unknown;
  /** Deletes what is stored under the key. */
  remove(key: string): unknown;
  /** Calls the listener when another tab has changed an entry, until the returned function is called. */
  watch?(changed: () => void): () => void;
};
