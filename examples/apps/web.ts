/** The sign-in of a web app whose shell catches the app's scheme, and loads the page with that address behind `#`. */
import {
  createCustomerClient,
  createRedirectBrowser,
  createWebStorage,
  isServiceError,
  type SessionListener,
} from 'subscription-management-client';

export const client = createCustomerClient({
  serviceUrl: 'https://subscriptions.example.com',
  shop: 'harbor-coffee.myshopify.com',
  storage: createWebStorage(),
  openBrowser: createRedirectBrowser(),
  language: () => document.documentElement.lang || navigator.language,
});

/** Call it when the page is loaded, before anything else. */
export function start(show: SessionListener, display: Display): void {
  client.onSession(show);
  const address = decodeURIComponent(location.hash.slice(1));
  if (!address.startsWith('shop.81234567001.app:')) return;
  // The code stands in no history and no bookmark.
  history.replaceState(null, '', location.pathname + location.search);
  void orDisplay(display, client.completeSignIn(address));
}

/** For the button: the page is left. */
export const signIn = (display: Display): Promise<void> => orDisplay(display, client.signIn());

type Display = (text: string) => void;
async function orDisplay(display: Display, work: Promise<unknown>): Promise<void> {
  const isQuiet = (error: unknown) => isServiceError(error, 'CANCELLED', 'SIGNED_OUT', 'FOREIGN_REDIRECT');
  await work.catch((error) => isQuiet(error) || display('That did not work. Please try again.'));
}
