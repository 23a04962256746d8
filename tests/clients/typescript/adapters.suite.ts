/** The adapters of clients/typescript over what their packages do; none of these packages is there. */
import { describe, expect, test } from '@jest/globals';
import {
  createCapacitorBrowser,
  createCapacitorStorage,
  createExpoBrowser,
  createExpoStorage,
  createInAppBrowser,
  createKeychainStorage,
  createMemoryStorage,
  createPageStorage,
  createRedirectBrowser,
  createWebStorage,
} from '../../../clients/typescript/src/client.ts';

const REQUEST = { authUrl: 'https://platform.example/authorize', redirectUri: 'shop.1.app://callback' };
const ADDRESS = 'shop.1.app://callback?code=c&state=s';

/** The packages' storage, and the options of each write. */
function createPlace() {
  const texts = new Map<string, string>();
  const options: unknown[] = [];
  const ofTab = new Map<string, string>();
  const webStorage = (stored: Map<string, string>) => ({
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => void stored.set(key, text),
    removeItem: (key: string) => void stored.delete(key),
  });
  const window = Object.assign(new EventTarget(), {
    localStorage: webStorage(texts),
    sessionStorage: webStorage(ofTab),
  });
  const secureStore = {
    AFTER_FIRST_UNLOCK_THIS_DEVICE_ONLY: 4,
    getItemAsync: async (key: string) => texts.get(key) ?? null,
    setItemAsync: async (key: string, text: string, given?: object) => {
      // The check of the package itself.
      if (!/^[\w.-]+$/.test(key)) throw new Error('Invalid key');
      options.push(given);
      texts.set(key, text);
    },
    deleteItemAsync: async (key: string) => void texts.delete(key),
  };
  const preferences = {
    get: async ({ key }: { key: string }) => ({ value: texts.get(key) ?? null }),
    set: async ({ key, value }: { key: string; value: string }) => void texts.set(key, value),
    remove: async ({ key }: { key: string }) => void texts.delete(key),
  };
  const keychain = {
    ACCESSIBLE: { AFTER_FIRST_UNLOCK_THIS_DEVICE_ONLY: 'AccessibleAfterFirstUnlockThisDeviceOnly' },
    async getGenericPassword({ service }: { service: string }) {
      const password = texts.get(service);
      return password === undefined ? (false as const) : { password };
    },
    async setGenericPassword(_: string, password: string, given: { service: string; accessible: string }) {
      options.push({ accessible: given.accessible });
      if (password === 'too large') return false;
      texts.set(given.service, password);
      return {};
    },
    resetGenericPassword: async ({ service }: { service: string }) => texts.delete(service),
  };
  return { texts, ofTab, options, window, secureStore, preferences, keychain };
}

describe('a storage', () => {
  test.each([
    ['memory', () => createMemoryStorage(), []],
    ['localStorage', ({ window }: Place) => createWebStorage(window), []],
    ['a page', ({ window }: Place) => createPageStorage(window), []],
    [
      'expo-secure-store',
      ({ secureStore }: Place) => createExpoStorage(secureStore),
      [{ keychainAccessible: 4 }],
    ],
    ['@capacitor/preferences', ({ preferences }: Place) => createCapacitorStorage(preferences), []],
    [
      'react-native-keychain',
      ({ keychain }: Place) => createKeychainStorage(keychain),
      [{ accessible: 'AccessibleAfterFirstUnlockThisDeviceOnly' }],
    ],
  ])('%s gives what was stored, and null for what is not there', async (_, create, options) => {
    const place = createPlace();
    const storage = create(place);
    const key = 'subscriptions.a-shop.myshopify.com.session';
    expect(await storage.get(key)).toBeNull();
    await storage.set(key, 'text');
    expect([await storage.get(key), await storage.get(`${key}2`)]).toEqual(['text', null]);
    await storage.remove(key);
    expect(await storage.get(key)).toBeNull();
    expect(place.options).toEqual(options);
  });

  type Place = ReturnType<typeof createPlace>;

  test('keeps the sign-ins of a page in its tab, and shares the rest with all tabs', async () => {
    const { texts, ofTab, window } = createPlace();
    const storage = createPageStorage(window);
    for (const kind of ['signIns', 'session', 'signOuts'])
      await storage.set(`subscriptions.a-shop.myshopify.com.${kind}`, kind);
    expect([...ofTab.values()]).toEqual(['signIns']);
    expect([...texts.values()]).toEqual(['session', 'signOuts']);
    expect(await storage.get('subscriptions.a-shop.myshopify.com.signIns')).toBe('signIns');
    await storage.remove('subscriptions.a-shop.myshopify.com.signIns');
    expect([...ofTab.keys()]).toEqual([]);
  });

  test('throws when the keychain rejects a value', async () => {
    const storage = createKeychainStorage(createPlace().keychain);
    await expect(storage.set('key', 'too large')).rejects.toThrow('keychain failed');
  });

  test('throws on use, not at creation, when the browser forbids its storage', () => {
    const storage = createWebStorage({
      get localStorage(): never {
        throw new Error('SecurityError');
      },
    } as never);
    expect(() => storage.get('key')).toThrow('SecurityError');
  });

  test('reports changes of other tabs until the watch ends', () => {
    const { window } = createPlace();
    let reported = 0;
    const end = createWebStorage(window).watch?.(() => reported++);
    window.dispatchEvent(new Event('storage'));
    end?.();
    window.dispatchEvent(new Event('storage'));
    expect(reported).toBe(1);
  });
});

describe('a browser', () => {
  test.each(['cancel', 'dismiss', 'locked'])(
    'returns no address when the browser reports %s',
    async (type) => {
      const answer = async () => ({ type });
      expect(await createExpoBrowser({ openAuthSessionAsync: answer })(REQUEST)).toBeNull();
      expect(await createInAppBrowser({ openAuth: answer })(REQUEST)).toBeNull();
    },
  );

  test('returns the address when the browser comes back to the app', async () => {
    const answer = async (url: string, redirectUrl: string) => {
      expect([url, redirectUrl]).toEqual([REQUEST.authUrl, REQUEST.redirectUri]);
      return { type: 'success', url: ADDRESS };
    };
    expect(await createExpoBrowser({ openAuthSessionAsync: answer })(REQUEST)).toBe(ADDRESS);
    expect(await createInAppBrowser({ openAuth: answer })(REQUEST)).toBe(ADDRESS);
  });

  test('returns no address when it leads the page itself to the sign-in', async () => {
    const gone: string[] = [];
    expect(await createRedirectBrowser({ assign: (url) => void gone.push(url) })(REQUEST)).toBeNull();
    expect(gone).toEqual([REQUEST.authUrl]);
  });

  test.each([
    ['comes back', 'appUrlOpen', ADDRESS, ['close']],
    ['is closed', 'browserFinished', null, []],
  ])('removes its Capacitor listeners when the browser %s', async (_, name, expected, calls) => {
    const reported: string[] = [];
    const listeners = new Map<string, (event: { url: string }) => void>();
    const addListener = async (each: string, listener: (event: { url: string }) => void) => {
      listeners.set(each, listener);
      return { remove: async () => void listeners.delete(each) };
    };
    const Browser = {
      addListener,
      async open({ url }: { url: string }) {
        expect(url).toBe(REQUEST.authUrl);
        listeners.get('appUrlOpen')?.({ url: 'another://link' });
        listeners.get(name)?.({ url: ADDRESS });
      },
      close: async () => void reported.push('close'),
    };
    expect(await createCapacitorBrowser({ Browser, App: { addListener } })(REQUEST)).toBe(expected);
    expect([reported, [...listeners]]).toEqual([calls, []]);
  });
});
