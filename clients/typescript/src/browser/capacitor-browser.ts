/** Capacitor: `createCapacitorBrowser({ Browser, App })` of `@capacitor/browser` and `@capacitor/app`. */
import type { OpenBrowser } from './open-browser.ts';

type ListenerHandle = { remove(): Promise<void> };
type CapacitorPlugins = {
  readonly Browser: {
    open(options: { url: string }): Promise<void>;
    close(): Promise<void>;
    addListener(name: 'browserFinished', closed: () => void): Promise<ListenerHandle>;
  };
  readonly App: {
    addListener(name: 'appUrlOpen', opened: (event: { url: string }) => void): Promise<ListenerHandle>;
  };
};

/**
 * Creates the browser of a Capacitor app. Pass `appUrlOpen` to `completeSignIn` as well: the address can arrive after
 * the browser has closed, or restart the app.
 */
export function createCapacitorBrowser({ Browser, App }: CapacitorPlugins): OpenBrowser {
  return async ({ authUrl, redirectUri }) => {
    let resolveAddress: (url: string | null) => void = () => undefined;
    const returnedAddressPromise = new Promise<string | null>((resolve) => {
      resolveAddress = resolve;
    });
    const openedListener = await App.addListener('appUrlOpen', ({ url }) => {
      if (url.startsWith(redirectUri)) resolveAddress(url);
    });
    const finishedListener = await Browser.addListener('browserFinished', () => resolveAddress(null));
    await Browser.open({ url: authUrl });
    const url = await returnedAddressPromise;
    await Promise.allSettled([
      openedListener.remove(),
      finishedListener.remove(),
      url === null ? undefined : Browser.close(),
    ]);
    return url;
  };
}
