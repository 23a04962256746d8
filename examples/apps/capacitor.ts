/** The sign-in of a Capacitor app: its origins are in the service's `allowedOrigins`, its scheme in Info.plist and the manifest. */
import { App } from '@capacitor/app';
import { Browser } from '@capacitor/browser';
import { Preferences } from '@capacitor/preferences';
import {
  createCapacitorBrowser,
  createCapacitorStorage,
  createCustomerClient,
  isServiceError,
  type SessionListener,
} from 'subscription-management-client';

export const client = createCustomerClient({
  serviceUrl: 'https://subscriptions.example.com',
  shop: 'harbor-coffee.myshopify.com',
  storage: createCapacitorStorage(Preferences),
  openBrowser: createCapacitorBrowser({ Browser, App }),
  language: () => navigator.language,
});

/** Call it at each start: the address may come after the browser has closed, or start the app. */
export function start(show: SessionListener, display: Display): void {
  client.onSession(show);
  const take = (opened: { url: string } | undefined) => {
    if (opened?.url.startsWith('shop.81234567001.app:'))
      void orDisplay(display, client.completeSignIn(opened.url));
  };
  void App.addListener('appUrlOpen', take);
  void App.getLaunchUrl().then(take);
}

/** For the button; `show` tells who is signed in. */
export const signIn = (display: Display): Promise<void> => orDisplay(display, client.signIn());

type Display = (text: string) => void;
async function orDisplay(display: Display, work: Promise<unknown>): Promise<void> {
  const isQuiet = (error: unknown) => isServiceError(error, 'CANCELLED', 'SIGNED_OUT', 'FOREIGN_REDIRECT');
  await work.catch((error) => isQuiet(error) || display('That did not work. Please try again.'));
}
