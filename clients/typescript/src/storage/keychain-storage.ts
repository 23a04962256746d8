/** React Native: `createKeychainStorage(Keychain)`, with `import * as Keychain from 'react-native-keychain'`. */
import type { Storage } from './storage.ts';

type Accessible = 'AFTER_FIRST_UNLOCK_THIS_DEVICE_ONLY';
type Keychain<Value> = {
  readonly ACCESSIBLE: { readonly [Name in Accessible]: Value };
  getGenericPassword(options: { service: string }): Promise<false | { readonly password: string }>;
  setGenericPassword(
    username: string,
    password: string,
    options: { service: string; accessible: Value },
  ): Promise<unknown>;
  resetGenericPassword(options: { service: string }): Promise<unknown>;
};

/** Creates a storage whose entries are readable on a locked device, and in no backup. */
export function createKeychainStorage<Value>(keychain: Keychain<Value>): Storage {
  const accessible = keychain.ACCESSIBLE.AFTER_FIRST_UNLOCK_THIS_DEVICE_ONLY;
  return {
    get: async (service) => ((await keychain.getGenericPassword({ service })) || null)?.password ?? null,
    async set(service, text) {
      const storeResult = await keychain.setGenericPassword('subscriptions', text, { service, accessible });
      if (storeResult === false) throw new Error('The keychain failed.');
    },
    remove: (service) => keychain.resetGenericPassword({ service }),
  };
}
