/** Starts the page. */
import { QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { SubscriptionsProvider } from 'subscription-management-react';
import { App } from './app.tsx';
import { client, queryClient } from './client.ts';

// The browser has returned from the sign-in. Remove the code from the address before anything else can send it on.
const address = window.location.href;
const isRedirect = window.location.search !== '';
if (isRedirect) window.history.replaceState(null, '', window.location.pathname + window.location.hash);
const signIn = isRedirect ? client.completeSignIn(address) : undefined;

window.addEventListener('online', () => void client.resume().catch(() => undefined));

createRoot(document.getElementById('root') as HTMLElement).render(
  <QueryClientProvider client={queryClient}>
    <SubscriptionsProvider client={client}>
      <App startedSignIn={signIn} />
    </SubscriptionsProvider>
  </QueryClientProvider>,
);
