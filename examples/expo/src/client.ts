/** The app's one client and one cache. */
import { focusManager, QueryClient } from '@tanstack/react-query';
import * as SecureStore from 'expo-secure-store';
import * as WebBrowser from 'expo-web-browser';
import { AppState, Linking } from 'react-native';
import { createCustomerClient, createExpoBrowser, createExpoStorage } from 'subscription-management-client';

export const client = createCustomerClient({
  serviceUrl: 'https://subscriptions.example.com',
  shop: 'harbor-coffee.myshopify.com',
  // Keychain or Keystore, on this device alone.
  storage: createExpoStorage(SecureStore),
  openBrowser: createExpoBrowser(WebBrowser),
  language: () => Intl.DateTimeFormat().resolvedOptions().locale,
  appInfo: { name: 'example-expo', version: '1.0.0' },
});

export const queryClient = new QueryClient({
  defaultOptions: {
    // The client retries by itself, and a change without a connection fails: it is not made later.
    queries: { staleTime: 30_000, retry: false, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
});

/**
 * Follows the phone. Android may bring the redirect of a sign-in late, or start the app with it; other addresses of the app
 * are refused as FOREIGN_REDIRECT. Returns a function that ends this.
 */
export function connectPhone(showError: (error: unknown) => void): () => void {
  const complete = (url: string | null) => {
    if (url) client.completeSignIn(url).catch(showError);
  };
  Linking.getInitialURL().then(complete, showError);
  const links = Linking.addEventListener('url', ({ url }) => complete(url));
  const states = AppState.addEventListener('change', (state) => {
    focusManager.setFocused(state === 'active');
    // A sign-out without a connection is still to be sent.
    if (state === 'active') client.resume().catch(() => undefined);
  });
  return () => {
    links.remove();
    states.remove();
  };
}
