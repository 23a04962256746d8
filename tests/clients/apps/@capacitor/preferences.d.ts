/** As much of @capacitor/preferences as its adapter uses (capacitor-plugins/preferences/src/definitions.ts). */
export type PreferencesPlugin = {
  get(options: { key: string }): Promise<{ value: string | null }>;
  set(options: { key: string; value: string }): Promise<void>;
  remove(options: { key: string }): Promise<void>;
};
export declare const Preferences: PreferencesPlugin;
