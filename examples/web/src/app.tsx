/** The frame: the sign-in or, by the address, one of three screens. */
import { type ReactNode, useEffect, useSyncExternalStore } from 'react';
import { useSession } from 'subscription-management-react';
import { AccountScreen } from './account.tsx';
import { HomeProvider } from './home.tsx';
import { Notices } from './notices.tsx';
import { SignInScreen } from './sign-in.tsx';
import { SubscriptionScreen } from './subscription.tsx';
import { SubscriptionsScreen } from './subscriptions.tsx';

function subscribeToHash(changed: () => void) {
  window.addEventListener('hashchange', changed);
  return () => window.removeEventListener('hashchange', changed);
}

const useHash = () => useSyncExternalStore(subscribeToHash, () => window.location.hash);

/** `startedSignIn`: the sign-in from which the browser has just returned. */
export function App({ startedSignIn }: { startedSignIn: Promise<unknown> | undefined }) {
  const session = useSession();
  const hash = useHash();
  return (
    <div className="page">
      <main>
        {session.status === 'signedIn' ? (
          // With the key, no state of a screen remains for the next customer.
          <HomeProvider key={session.customerId} customerId={session.customerId}>
            <Screen key={hash} hash={hash} />
          </HomeProvider>
        ) : (
          <SignInScreen startedSignIn={startedSignIn} />
        )}
      </main>
      <Notices />
      {session.status === 'signedIn' && (
        <nav aria-label="App">
          <Tab href="#/subscriptions" isCurrent={!hash.startsWith('#/account')}>
            Subscriptions
          </Tab>
          <Tab href="#/account" isCurrent={hash.startsWith('#/account')}>
            Account
          </Tab>
        </nav>
      )}
    </div>
  );
}

function Screen({ hash }: { hash: string }) {
  // After a change of screens, screen readers and the keyboard begin at its heading.
  useEffect(() => {
    window.scrollTo(0, 0);
    document.querySelector('h1')?.focus();
  }, []);
  const [, id] = /^#\/subscriptions\/(.+)$/.exec(hash) ?? [];
  if (id) return <SubscriptionScreen contractId={decodeURIComponent(id)} />;
  return hash === '#/account' ? <AccountScreen /> : <SubscriptionsScreen />;
}

function Tab({ href, isCurrent, children }: { href: string; isCurrent: boolean; children: ReactNode }) {
  return (
    <a href={href} aria-current={isCurrent ? 'page' : undefined}>
      {children}
    </a>
  );
}
