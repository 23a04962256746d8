/**
 * The provider and the session. When the session's customer changes, in this tab or in another, the provider deletes what
 * was read for the former customer before any component sees the new session.
 */
import { type QueryClient, useIsRestoring, useQueryClient } from '@tanstack/react-query';
import {
  createContext,
  createElement,
  type ReactElement,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useSyncExternalStore,
} from 'react';
import type { CustomerClient, Session } from 'subscription-management-client';
import { type CustomerId, KEY_ROOT } from './query-keys.ts';

/** The session as a screen shows it: `loading` until the storage has been read. */
export type SessionState = Session | { readonly status: 'loading' };

type CustomerState = { readonly session: SessionState; readonly customerId: CustomerId };
type CustomerContext = CustomerState & { readonly client: CustomerClient };

const LOADING_CUSTOMER_STATE: CustomerState = { session: { status: 'loading' }, customerId: null };

const ReactCustomerContext = createContext<CustomerContext | undefined>(undefined);

/** The properties of `SubscriptionsProvider`. */
export type SubscriptionsProviderProps = {
  /** The app's one client. */
  readonly client: CustomerClient;
  /** The screens that use the hooks. */
  readonly children?: ReactNode;
};

/** Gives the client to the hooks below. It belongs inside of TanStack's `QueryClientProvider`. */
export function SubscriptionsProvider({ client, children }: SubscriptionsProviderProps): ReactElement {
  const queryClient = useQueryClient();
  const isRestoring = useIsRestoring();
  const sessionStore = useMemo(() => createSessionStore(client, queryClient), [client, queryClient]);
  const customer = useSyncExternalStore(
    sessionStore.subscribe,
    sessionStore.read,
    () => LOADING_CUSTOMER_STATE,
  );
  // A stored cache may arrive after the session, and may be the cache of another customer.
  useEffect(() => {
    if (!isRestoring) removeOtherCustomersData(queryClient, customer);
  }, [isRestoring, queryClient, customer]);
  const contextValue = useMemo(() => ({ ...customer, client }), [customer, client]);
  return createElement(ReactCustomerContext.Provider, { value: contextValue }, children);
}

function createSessionStore(client: CustomerClient, queryClient: QueryClient) {
  let customer = LOADING_CUSTOMER_STATE;
  return {
    read: () => customer,
    subscribe: (notify: () => void) =>
      client.onSession((session) => {
        customer = { session, customerId: customerIdOf(session, customer) };
        removeOtherCustomersData(queryClient, customer);
        notify();
      }),
  };
}

function customerIdOf(session: Session, previousState: CustomerState): CustomerId {
  if (session.status === 'signedIn') return session.customerId;
  // An unreadable storage, as on a locked device, signs nobody out.
  return session.status === 'unknown' ? previousState.customerId : null;
}

/** Deletes the queries and changes of every other customer, also those whose response has not arrived. */
function removeOtherCustomersData(queryClient: QueryClient, { session, customerId }: CustomerState): void {
  if (session.status !== 'signedIn' && session.status !== 'signedOut') return;
  const isOtherCustomersKey = ([root, owner]: readonly unknown[] = []) =>
    root === KEY_ROOT && owner !== customerId;
  queryClient.removeQueries({ predicate: ({ queryKey }) => isOtherCustomersKey(queryKey) });
  const mutations = queryClient.getMutationCache();
  for (const mutation of mutations.getAll())
    if (isOtherCustomersKey(mutation.options.mutationKey)) mutations.remove(mutation);
}

/** Returns the client and the customer of the nearest provider. */
export function useCustomer(): CustomerContext {
  const context = useContext(ReactCustomerContext);
  if (context === undefined) throw new Error('This hook needs a SubscriptionsProvider above it.');
  return context;
}

/** Returns the client of the nearest provider, for what has no hook. */
export const useClient = (): CustomerClient => useCustomer().client;

/**
 * Returns the session as it is in every tab, with `signIn` and `signOut` of the client. After a sign-out, and when
 * another customer signs in, nothing of the former customer is left in the cache.
 */
export function useSession(): SessionState & Pick<CustomerClient, 'signIn' | 'signOut'> {
  const { session, client } = useCustomer();
  return { ...session, signIn: client.signIn, signOut: client.signOut };
}
