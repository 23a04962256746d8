/** The sign-in of an Expo app: `"scheme": "shop.81234567001.app"` in app.json, with your shop id. */
import * as Linking from 'expo-linking';
import * as SecureStore from 'expo-secure-store';
import * as WebBrowser from 'expo-web-browser';
import {
  createCustomerClient,
  createExpoBrowser,
  createExpoStorage,
  isServiceError,
} from 'subscription-management-client';

export const client = createCustomerClient({
  serviceUrl: 'https://subscriptions.example.com',
  shop: 'harbor-coffee.myshopify.com',
  storage: createExpoStorage(SecureStore),
  openBrowser: createExpoBrowser(WebBrowser),
  language: () => Intl.DateTimeFormat().resolvedOptions().locale,
});

/** Call it at each start: Android may bring the address late, or start the app with it. */
export async function listenForAddresses(): Promise<void> {
  Linking.addEventListener('url', ({ url }) => void takeAddress(url));
  await takeAddress(await Linking.getInitialURL());
}

async function takeAddress(url: string | null): Promise<void> {
  if (url?.startsWith('shop.81234567001.app:')) await client.completeSignIn(url).catch(() => undefined);
}

/** For the button. What to tell the customer, or null: `onSession` shows who is signed in. */
export async function signIn(): Promise<string | null> {
  try {
    await client.signIn();
    return null;
  } catch (error) {
    return isServiceError(error, 'CANCELLED', 'SIGNED_OUT') ? null : 'That did not work. Please try again.';
  }
}
