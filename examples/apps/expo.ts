/** The sign-in of an Expo app: `"scheme": "shop.81234567001.app"` in app.json, with your shop id. */
import * as Linking from 'expo-linking';
import * as SecureStore from 'expo-secure-store';
import * as WebBrowser from 'expo-web-browser';
import {
  createCustomerClient,
  createExpoBrowser,
  createExpoStorage,
  isServiceError,
  type SessionListener,
} from 'subscription-management-client';

export const client = createCustomerClient({
  serviceUrl: 'https://subscriptions.example.com',
  shop: 'harbor-coffee.myshopify.com',
  storage: createExpoStorage(SecureStore),
  openBrowser: createExpoBrowser(WebBrowser),
  language: () => Intl.DateTimeFormat().resolvedOptions().locale,
});

/** Call it at each start: Android may bring the address late, or start the app with it. */
export function start(show: SessionListener, display: Display): void {
  client.onSession(show);
  const take = (url: string | null) => {
    if (url?.startsWith('shop.81234567001.app:')) void orDisplay(display, client.completeSignIn(url));
  };
  Linking.addEventListener('url', ({ url }) => take(url));
  void Linking.getInitialURL().then(take);
}

/** For the button; `show` tells who is signed in. */
export const signIn = (display: Display): Promise<void> => orDisplay(display, client.signIn());

type Display = (text: string) => void;
async function orDisplay(display: Display, work: Promise<unknown>): Promise<void> {
  const isQuiet = (error: unknown) => isServiceError(error, 'CANCELLED', 'SIGNED_OUT', 'FOREIGN_REDIRECT');
  await work.catch((error) => isQuiet(error) || display('That did not work. Please try again.'));
}
