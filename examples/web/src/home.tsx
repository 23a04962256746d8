/** What all screens need, read in one request: the customer, the store, and the first page of subscriptions. */
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import type { CustomerProfile, StoreProfile } from 'subscription-management-client';
import { subscriptionQueries } from 'subscription-management-react';
import { client, queryClient } from './client.ts';
import { createFormat, type Format } from './format.ts';
import { Problem } from './parts.tsx';

type Home = {
  readonly customerId: number;
  readonly customer: CustomerProfile;
  readonly store: StoreProfile;
  /** Days are those of the store: its e-mails name the same days, wherever the customer is. */
  readonly format: Format;
};

const HomeContext = createContext<Home | undefined>(undefined);

export function useHome(): Home {
  const home = useContext(HomeContext);
  if (!home) throw new Error('useHome needs a HomeProvider above it.');
  return home;
}

/**
 * Reads something for this customer. The key names the customer, so that nobody sees what was read for another. `signal`
 * aborts when no screen needs the data any more.
 */
export function useCustomerQuery<Data>(
  name: string,
  read: (signal: AbortSignal) => Promise<Data>,
): UseQueryResult<Data> {
  const { customerId } = useHome();
  return useQuery({ queryKey: ['page', customerId, name], queryFn: ({ signal }) => read(signal) });
}

/** Reads the first screen. `useSubscriptions` finds its first page in the cache. */
async function readHome(customerId: number, signal: AbortSignal) {
  const { customer, subscriptions, store, errors } = await client.home({}, { signal });
  const profile = store ?? (await client.store(undefined, { signal }));
  const { queryKey } = subscriptionQueries(client, customerId).list();
  const page = { ...subscriptions, storeTimeZone: profile.storeTimeZone, errors };
  queryClient.setQueryData(queryKey, (read) => read ?? { pages: [page], pageParams: [null] });
  return { customer, store: profile };
}

export function HomeProvider({ customerId, children }: { customerId: number; children: ReactNode }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['page', customerId, 'home'],
    queryFn: ({ signal }) => readHome(customerId, signal),
    staleTime: Infinity,
  });
  const home = useMemo(
    () => data && { ...data, customerId, format: createFormat(data.store.storeTimeZone) },
    [data, customerId],
  );
  if (home) return <HomeContext.Provider value={home}>{children}</HomeContext.Provider>;
  return (
    <>
      <h1>Your subscriptions</h1>
      {error ? <Problem error={error} retry={refetch} /> : <p role="status">Loading …</p>}
    </>
  );
}
