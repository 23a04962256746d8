/** The frame: the sign-in or, by the address, one of three screens. */
import { useEffect, useSyncExternalStore } from 'react';
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

const TABS = [['#/subscriptions', 'Subscriptions'] as const, ['#/account', 'Account'] as const];
const useHash = () => useSyncExternalStore(subscribeToHash, () => window.location.hash);

/** `startedSignIn`: the sign-in from which the browser has just returned. */
export function App({ startedSignIn }: { startedSignIn: Promise<unknown> | undefined }) {
  const session = useSession();
  const hash = useHash();
  const currentTab = hash === '#/account' ? hash : '#/subscriptions';
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
          {TABS.map(([href, label]) => (
            <a key={href} href={href} aria-current={href === currentTab ? 'page' : undefined}>
              {label}
            </a>
          ))}
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
