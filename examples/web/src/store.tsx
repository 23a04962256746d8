/** What all screens know of the store and the customer, and queries of this page's own. */
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext } from 'react';
import { client } from './client.ts';
import { createFormat } from './format.ts';

const CustomerContext = createContext(0);
const FormatContext = createContext(createFormat('UTC'));

/** Dates and prices, with days as the store has them: its e-mails name the same days, wherever the customer is. */
export const useFormat = () => useContext(FormatContext);

/** Reads something for this customer. The key names the customer, so that nobody sees what was read for another. */
export function useCustomerQuery<Data>(name: string, read: () => Promise<Data>): UseQueryResult<Data> {
  const customerId = useContext(CustomerContext);
  return useQuery({ queryKey: ['page', customerId, name], queryFn: read });
}

const useStore = (customerId: number) =>
  useQuery({ queryKey: ['page', customerId, 'store'], queryFn: () => client.store(), staleTime: Infinity });

export function StoreProvider({ customerId, children }: { customerId: number; children: ReactNode }) {
  const { data: store, error } = useStore(customerId);
  if (!store && !error) return <p role="status">Loading …</p>;
  return (
    <CustomerContext.Provider value={customerId}>
      <FormatContext.Provider value={createFormat(store?.storeTimeZone ?? 'UTC')}>
        {children}
      </FormatContext.Provider>
    </CustomerContext.Provider>
  );
}
