/**
 * Capacitor: `createCapacitorStorage(Preferences)` of `@capacitor/preferences`. The app's storage is not encrypted:
 * exclude it from backups, or write a similar adapter of a plugin for the Keychain and the Keystore.
 */
import type { Storage } from './storage.ts';

type CapacitorPreferences = {
  get(options: { key: string }): Promise<{ value: string | null }>;
  set(options: { key: string; value: string }): Promise<void>;
  remove(options: { key: string }): Promise<void>;
};

/** Stores the tokens in the preferences of a Capacitor app. */
export function createCapacitorStorage(preferences: CapacitorPreferences): Storage {
  return {
    get: async (key) => (await preferences.get({ key })).value,
    set: (key, value) => preferences.set({ key, value }),
    remove: (key) => preferences.remove({ key }),
  };
}
