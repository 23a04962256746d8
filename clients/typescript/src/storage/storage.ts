/** Where tokens are kept: the Keychain, the Keystore, a browser's storage. The adapters beside this file are the usual ones. */

/** Plain values or promises. Whatever is thrown becomes STORAGE, and signs nobody out. */
export type Storage = {
  /** Null where nothing is stored. */
  get(key: string): string | null | Promise<string | null>;
  set(key: string, text: string): unknown;
  remove(key: string): unknown;
  /** Calls back when another tab has changed something; the result ends it. */
  watch?(changed: () => void): () => void;
};
