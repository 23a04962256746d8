/**
 * The page's one client and one cache. index.html names the service, the store, and the address of this page, exactly as
 * the operator of the service has entered it.
 */
import { QueryClient } from '@tanstack/react-query';
import {
  createCustomerClient,
  createPageStorage,
  createRedirectBrowser,
} from 'subscription-management-client';
import { showWaiting } from './notices.tsx';

const { serviceUrl = '', shop = '', redirectUri = '' } = document.documentElement.dataset;
const LANGUAGE_KEY = 'language';

/** The language of the service's messages. This page's own texts are English. */
export const readLanguage = () => localStorage.getItem(LANGUAGE_KEY) ?? navigator.language;
export const storeLanguage = (language: string) => localStorage.setItem(LANGUAGE_KEY, language);

export const client = createCustomerClient({
  ...{ serviceUrl, shop, redirectUri },
  storage: createPageStorage(),
  openBrowser: createRedirectBrowser(),
  language: readLanguage,
  onWaiting: showWaiting,
  appInfo: { name: 'example-web', version: '1.0.0' },
});

export const queryClient = new QueryClient({
  defaultOptions: {
    // The client retries by itself.
    queries: { staleTime: 30_000, retry: false, networkMode: 'always', refetchOnReconnect: true },
    // Without a connection a change fails, and is not made later.
    mutations: { networkMode: 'always' },
  },
});

/** The hooks delete at a sign-out what they have read. This page has own queries, too. */
client.onSession(({ status }) => {
  if (status === 'signedOut') queryClient.clear();
});
