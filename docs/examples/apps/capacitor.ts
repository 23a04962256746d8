/** The sign-in of a Capacitor app: its origins are in the service's `allowedOrigins`, its scheme in Info.plist and the manifest. */
import { App } from '@capacitor/app';
import { Browser } from '@capacitor/browser';
import { Preferences } from '@capacitor/preferences';
import {
  createCapacitorBrowser,
  createCapacitorStorage,
  createCustomerClient,
  isServiceError,
} from 'subscription-management-client';

export const client = createCustomerClient({
  serviceUrl: 'https://subscriptions.example.com',
  shop: 'harbor-coffee.myshopify.com',
  storage: createCapacitorStorage(Preferences),
  openBrowser: createCapacitorBrowser({ Browser, App }),
  language: () => navigator.language,
});

/** Call it at each start: the address may come after the browser has closed, or start the app. */
export async function listenForAddresses(): Promise<void> {
  await App.addListener('appUrlOpen', ({ url }) => void takeAddress(url));
  await takeAddress((await App.getLaunchUrl())?.url);
}

async function takeAddress(url: string | undefined): Promise<void> {
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
