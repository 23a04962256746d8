/** The sign-in of a web app whose shell catches the app's scheme, and loads the page with that address behind `#`. */
import {
  createCustomerClient,
  createRedirectBrowser,
  createWebStorage,
  isServiceError,
} from 'subscription-management-client';

export const client = createCustomerClient({
  serviceUrl: 'https://subscriptions.example.com',
  shop: 'harbor-coffee.myshopify.com',
  storage: createWebStorage(),
  openBrowser: createRedirectBrowser(),
  language: () => document.documentElement.lang || navigator.language,
});

/** Call it when the page is loaded, before anything else. What to tell the customer, or null. */
export async function takeAddress(): Promise<string | null> {
  const address = decodeURIComponent(location.hash.slice(1));
  if (!address.startsWith('shop.81234567001.app:')) return null;
  // The code stands in no history and no bookmark.
  history.replaceState(null, '', location.pathname + location.search);
  return withoutError(() => client.completeSignIn(address));
}

/** For the button: the page is left. */
export const signIn = (): Promise<string | null> => withoutError(() => client.signIn());

async function withoutError(work: () => Promise<unknown>): Promise<string | null> {
  try {
    await work();
    return null;
  } catch (error) {
    return isServiceError(error, 'CANCELLED', 'SIGNED_OUT') ? null : 'That did not work. Please try again.';
  }
}
