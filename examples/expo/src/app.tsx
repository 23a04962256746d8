/** The frame: the sign-in, the list, or one subscription. */
import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { SafeAreaProvider, SafeAreaView } from 'react-native-safe-area-context';
import { isServiceError } from 'subscription-management-client';
import { SubscriptionsProvider, useSession } from 'subscription-management-react';
import { client, connectPhone, queryClient } from './client';
import { Button, Loading, Problem, Title, useColors } from './parts';
import { SubscriptionScreen } from './subscription';
import { SubscriptionsScreen } from './subscriptions';

export const App = () => (
  <QueryClientProvider client={queryClient}>
    <SubscriptionsProvider client={client}>
      <SafeAreaProvider>
        <Frame />
      </SafeAreaProvider>
    </SubscriptionsProvider>
  </QueryClientProvider>
);

function Frame() {
  const session = useSession();
  const { background } = useColors();
  const [error, setError] = useState<unknown>();
  useEffect(() => connectPhone(setError), []);
  const start = () => {
    setError(undefined);
    session.signIn().catch(setError);
  };
  return (
    <SafeAreaView style={{ flex: 1, backgroundColor: background }}>
      {session.status === 'loading' && <Loading />}
      {session.status === 'signedIn' && (
        // With the key, no state of a screen remains for the next customer.
        <Screens key={session.customerId} signOut={() => session.signOut().catch(setError)} />
      )}
      {session.status === 'signedOut' && (
        <>
          <Title text="Your subscriptions" />
          <Button label="Sign in" onPress={start} />
          {isForCustomer(error) && <Problem error={error} />}
        </>
      )}
      {session.status === 'unknown' && <Problem error={session.error} retry={() => client.resume()} />}
    </SafeAreaView>
  );
}

/** A closed browser, an ended sign-in and another app's address are no news for the customer. */
const isForCustomer = (error: unknown) =>
  error !== undefined && !isServiceError(error, 'CANCELLED', 'SIGNED_OUT', 'FOREIGN_REDIRECT');

function Screens({ signOut }: { signOut: () => void }) {
  const [contractId, open] = useState<string>();
  if (contractId) return <SubscriptionScreen contractId={contractId} close={() => open(undefined)} />;
  return <SubscriptionsScreen open={open} signOut={signOut} />;
}
