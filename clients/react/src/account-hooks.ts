/** The hooks that change the customer's account. Their results are displayed after the response. */
import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import type { CustomerClient, ServiceError } from 'subscription-management-client';
import { type CustomerId, KEY_ROOT, keyOf } from './query-keys.ts';
import { useCustomer } from './session.ts';

type AccountOperations = CustomerClient['account'];
type AccountInput<Name extends 'addAddress' | 'startPaymentMethodUpdate'> = Parameters<
  AccountOperations[Name]
>[0];
type AccountResult<Name extends 'addAddress' | 'startPaymentMethodUpdate'> = Awaited<
  ReturnType<AccountOperations[Name]>
>;

/**
 * Returns the options of an account's change. TanStack Query neither retries it, which the client does, nor holds it
 * until the device is online. Its key names the customer, so that a sign-out removes it.
 */
const accountMutationOptions = (customerId: CustomerId, name: string) => ({
  mutationKey: [KEY_ROOT, customerId, 'account', name],
  networkMode: 'always' as const,
  retry: false,
});

/** Adds an address to the customer's address book, which can have 20. */
export function useAddAddress(): UseMutationResult<
  AccountResult<'addAddress'>,
  ServiceError,
  AccountInput<'addAddress'>
> {
  const { client, customerId } = useCustomer();
  const queryClient = useQueryClient();
  return useMutation({
    ...accountMutationOptions(customerId, 'addAddress'),
    mutationFn: (input: AccountInput<'addAddress'>) => client.account.addAddress(input),
    onSettled: () => {
      // The timelines of all subscriptions get an entry.
      for (const kind of ['addresses', 'events'] as const)
        void queryClient.invalidateQueries({ queryKey: keyOf(customerId, kind) });
    },
  });
}

/** Starts the update of a payment method: open `updateUrl` at once, or show that an e-mail was sent. */
export function useStartPaymentMethodUpdate(): UseMutationResult<
  AccountResult<'startPaymentMethodUpdate'>,
  ServiceError,
  AccountInput<'startPaymentMethodUpdate'>
> {
  const { client, customerId } = useCustomer();
  return useMutation({
    ...accountMutationOptions(customerId, 'startPaymentMethodUpdate'),
    mutationFn: (input: AccountInput<'startPaymentMethodUpdate'>) =>
      client.account.startPaymentMethodUpdate(input),
    // The URL is a credential: neither a cache in memory nor a stored one keeps it after the screen.
    gcTime: 0,
  });
}
