/** Expo: `createExpoStorage(SecureStore)`, with `import * as SecureStore from 'expo-secure-store'`. */
import type { Storage } from './storage.ts';

type SecureStoreOptions = { keychainAccessible?: number };
type SecureStore = {
  readonly AFTER_FIRST_UNLOCK_THIS_DEVICE_ONLY: number;
  getItemAsync(key: string, options?: SecureStoreOptions): Promise<string | null>;
  setItemAsync(key: string, text: string, options?: SecureStoreOptions): Promise<void>;
  deleteItemAsync(key: string, options?: SecureStoreOptions): Promise<void>;
};

/**
 * Creates the storage of an Expo app. Unlike the default, it is readable on a locked device, so an app that runs in the
 * background finds its session.
 */
export function createExpoStorage(secureStore: SecureStore): Storage {
  const secureOptions = { keychainAccessible: secureStore.AFTER_FIRST_UNLOCK_THIS_DEVICE_ONLY };
  return {
    get: (key) => secureStore.getItemAsync(key, secureOptions),
    set: (key, text) => secureStore.setItemAsync(key, text, secureOptions),
    remove: (key) => secureStore.deleteItemAsync(key, secureOptions),
  };
}
