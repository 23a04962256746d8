/** The plugins of Capacitor in a browser, as much as the quickstart uses. */
import { OLD_ADDRESS, signInPages, texts } from './device.ts';

type Listener = (event: { url: string }) => void;
const listeners = new Set<Listener>();
const handle = { remove: async () => undefined };

export const App = {
  addListener: async (_name: 'appUrlOpen', listener: Listener) => {
    listeners.add(listener);
    return { remove: async () => void listeners.delete(listener) };
  },
  getLaunchUrl: async () => ({ url: OLD_ADDRESS }),
};

export const Browser = {
  addListener: async () => handle,
  close: async () => undefined,
  open: async ({ url }: { url: string }) => {
    const address = await signInPages(url);
    for (const listener of listeners) listener({ url: address });
  },
};

export const Preferences = {
  get: async ({ key }: { key: string }) => ({ value: texts.get(key) ?? null }),
  set: async ({ key, value }: { key: string; value: string }) => void texts.set(key, value),
  remove: async ({ key }: { key: string }) => void texts.delete(key),
};
